#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/text/aligned_text.h"
#include "lib/text/pattern_program.h"

namespace tenrex::text {

namespace {

constexpr std::size_t none = std::string_view::npos;

// Some expressions would take the square of a text's length or more. More steps for each byte than these are an error;
// the expressions of tokenizers take fewer than ten.
constexpr std::size_t most_steps_of_byte = 100;
constexpr std::size_t most_steps_of_any = 5'000'000;

// What finds in one text.
class Matching {
public:
    Matching(const Program &program, std::string_view text)
        : program_(&program),
          nodes_(program.nodes.data()),
          text_(text),
          steps_left_(most_steps_of_any + most_steps_of_byte * text.size()) {}

    void find(std::vector<TextRange> &matches) {
        const Node &first = nodes_[program_->first];
        const Choice *choice = first.kind == Node::Kind::choice ? &program_->choices[first.part] : nullptr;
        for (std::size_t at = 0; at < text_.size();) {
            const std::size_t end = choice != nullptr                ? match_one_of(*choice, at)
                                    : first.begins[beginning_at(at)] ? match(program_->first, at)
                                                                     : none;
            if (end == none || end == at) {
                at += decode(text_.data() + at).length;
                continue;
            }
            matches.push_back(text_range(at, end));
            at = end;
        }
    }

private:
    std::size_t beginning_at(std::size_t at) const noexcept {
        return at == text_.size() ? end_of_text : static_cast<unsigned char>(text_[at]);
    }

    void count_steps(std::size_t steps) {
        if (steps > steps_left_) {
            fail_to_match("it takes too many steps");
        }
        steps_left_ -= steps;
    }

    // Where what a node and those after it find ends; none: it is not there. Calls itself at most once for each node.
    std::size_t match(std::uint32_t id, std::size_t at) {
        for (;;) {
            const Node &node = nodes_[id];
            id = node.next;
            // In the order of how often they are met, which takes less time than a switch.
            if (node.kind == Node::Kind::run) {
                const std::size_t end =
                    node.most == Node::any_number ? run_end(set_of(node), at) : run_end(set_of(node), at, node.most);
                count_steps(end - at);
                for (std::uint32_t i = 0; i < node.least; ++i) {
                    if (at == end) {
                        return none;
                    }
                    at += decode(text_.data() + at).length;
                }
                if (!node.keeps_all) {
                    return go_back(id, at, end);
                }
                at = end;
            } else if (node.kind == Node::Kind::end) {
                return at;
            } else if (node.kind == Node::Kind::one) {
                const std::size_t length = length_in(set_of(node), at);
                if (length == 0) {
                    return none;
                }
                at += length;
            } else if (node.kind == Node::Kind::choice) {
                return match_one_of(program_->choices[node.part], at);
            } else if ((match(node.part, at) == none) != node.is_negative) {
                return none;
            }
        }
    }

    std::size_t match_one_of(const Choice &choice, std::size_t at) {
        for (std::uint64_t left = choice.by_beginning[beginning_at(at)]; left != 0; left &= left - 1) {
            const std::size_t end = match(choice.nodes[static_cast<std::size_t>(std::countr_zero(left))], at);
            if (end != none) {
                return end;
            }
            count_steps(1);
        }
        return none;
    }

    // What comes after a run that may end anywhere from `least` to `end`.
    std::size_t go_back(std::uint32_t next, std::size_t least, std::size_t end) {
        for (;;) {
            if (nodes_[next].begins[beginning_at(end)]) {
                const std::size_t found = match(next, end);
                if (found != none) {
                    return found;
                }
            }
            if (end == least) {
                return none;
            }
            end -= decode_before(text_, end).length;
        }
    }

    const CharacterSet &set_of(const Node &node) const noexcept { return program_->sets[node.part]; }

    // How long the character is that stands at a place, if a set has it; otherwise, and at the end, 0.
    std::size_t length_in(const CharacterSet &set, std::size_t at) const {
        if (at == text_.size()) {
            return 0;
        }
        const auto byte = static_cast<unsigned char>(text_[at]);
        if (byte < 0x80) {
            return set.in_table(byte) ? 1 : 0;
        }
        const CodePoint c = decode(text_.data() + at);
        return set.holds(c.value) ? c.length : 0;
    }

    std::size_t run_end(const CharacterSet &set, std::size_t at) const {
        while (const std::size_t length = length_in(set, at)) {
            at += length;
        }
        return at;
    }
    std::size_t run_end(const CharacterSet &set, std::size_t at, std::uint32_t most) const {
        for (; most > 0; --most) {
            const std::size_t length = length_in(set, at);
            if (length == 0) {
                break;
            }
            at += length;
        }
        return at;
    }

    const Program *program_;
    const Node *nodes_;
    std::string_view text_;
    std::size_t steps_left_;
};

class Matcher : public Pattern {
public:
    explicit Matcher(Program program) : program_(std::move(program)) {}
    void find(std::string_view text, std::vector<TextRange> &matches) const override {
        Matching(program_, text).find(matches);
    }

private:
    Program program_;
};

}  // namespace

std::unique_ptr<Pattern> make_matcher(Program program) {
    return std::make_unique<Matcher>(std::move(program));
}

}  // namespace tenrex::text
