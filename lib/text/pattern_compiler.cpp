#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/text/pattern_program.h"
#include "lib/text/pattern_reader.h"

namespace tenrex::text {

namespace {

// More is left to ICU: the matcher calls itself at most once for each node, and so does this compiler for each group.
constexpr std::size_t most_nodes = 1000;
constexpr int deepest_group = 8;
constexpr std::uint32_t most_repeated = 1000;

// The bytes that characters of a set begin with; longer characters are not looked at one by one.
Beginnings beginnings_of(const CharacterSet &set) {
    Beginnings result;
    for (char32_t c = 0; c < CharacterSet::table_size; ++c) {
        if (set.in_table(c)) {
            result.set(static_cast<unsigned char>(std::string_view(Utf8Bytes(c)).front()));
        }
    }
    for (std::size_t lead = 0xE0; lead <= 0xFF && set.may_hold_longer(); ++lead) {
        result.set(lead);
    }
    return result;
}

// A node's number is smaller than those of the nodes that it leads to.
class Compiler {
public:
    explicit Compiler(std::string_view expression) : reader_(expression) {}

    Program compile() {
        const Fragment all = alternatives(0, false);
        if (!reader_.is_at_end()) {
            throw NotInProgram{};
        }
        node(all.last).next = add(Node::Kind::end);
        can_fail_.resize(program_.nodes.size());
        for (std::size_t i = program_.nodes.size(); i-- > 0;) {
            finish(i);
        }
        program_.first = after_passes(all.first);
        return std::move(program_);
    }

private:
    using Id = std::uint32_t;
    // Nodes of which the last one leads to nothing yet.
    struct Fragment {
        Id first;
        Id last;
    };

    Node &node(Id id) { return program_.nodes[id]; }

    Id add(Node::Kind kind) {
        if (program_.nodes.size() == most_nodes) {
            throw NotInProgram{};
        }
        program_.nodes.push_back({kind});
        return static_cast<Id>(program_.nodes.size() - 1);
    }

    Fragment alternatives(int depth, bool any_case) {
        const Id choice = add(Node::Kind::pass);
        std::vector<Fragment> branches;
        do {
            branches.push_back(sequence(depth, any_case));
        } while (reader_.take("|"));
        if (branches.size() == 1) {
            node(choice).next = branches.front().first;
            return {choice, branches.front().last};
        }
        const Id join = add(Node::Kind::pass);
        std::vector<Id> firsts;
        for (const Fragment branch : branches) {
            firsts.push_back(branch.first);
            node(branch.last).next = join;
        }
        make_choice(choice, std::move(firsts));
        return {choice, join};
    }

    void make_choice(Id id, std::vector<Id> firsts) {
        if (firsts.size() > most_branches) {
            throw NotInProgram{};
        }
        node(id).kind = Node::Kind::choice;
        node(id).part = static_cast<std::uint32_t>(program_.choices.size());
        program_.choices.push_back({std::move(firsts)});
    }

    Fragment sequence(int depth, bool any_case) {
        Fragment result{};
        result.first = result.last = add(Node::Kind::pass);
        char32_t previous = 0;
        while (!reader_.is_at_end() && !reader_.is_at("|") && !reader_.is_at(")")) {
            const Fragment next = reader_.is_at("(") ? group(depth, any_case) : repeated_set(any_case, previous);
            node(result.last).next = next.first;
            result.last = next.last;
        }
        return result;
    }

    Fragment group(int depth, bool any_case) {
        if (depth == deepest_group) {
            throw NotInProgram{};
        }
        const bool is_negative = reader_.take("(?!");
        if (is_negative || reader_.take("(?=")) {
            return look_ahead(depth, any_case, is_negative);
        }
        const bool all_cases = reader_.take("(?i:");
        if (!all_cases && !reader_.take("(?:")) {
            reader_.take("(");
        }
        const Id optional = add(Node::Kind::pass);
        const Fragment body = alternatives(depth + 1, any_case || all_cases);
        close_group();
        node(optional).next = body.first;
        if (!reader_.take("?")) {
            return {optional, body.last};
        }
        const Id join = add(Node::Kind::pass);
        node(body.last).next = join;
        make_choice(optional, {body.first, join});
        return {optional, join};
    }

    Fragment look_ahead(int depth, bool any_case, bool is_negative) {
        const Id id = add(Node::Kind::look_ahead);
        const Fragment body = alternatives(depth + 1, any_case);
        close_group();
        const Id end = add(Node::Kind::end);
        node(body.last).next = end;
        node(id).part = body.first;
        node(id).is_negative = is_negative;
        return {id, id};
    }

    void close_group() {
        if (!reader_.take(")")) {
            throw NotInProgram{};
        }
    }

    // previous: the character before it in the expression if that is one in any case, which it becomes.
    Fragment repeated_set(bool any_case, char32_t &previous) {
        std::optional<char32_t> character;
        CharacterSet set = reader_.set(any_case, character);
        const Id id = add(Node::Kind::one);
        node(id).part = number_of(std::move(set));
        take_quantifier(id);
        if (any_case) {
            const char32_t lower =
                character && *character >= 'A' && *character <= 'Z' ? *character + ('a' - 'A') : character.value_or(0);
            check_ligature(std::exchange(previous, lower), lower);
        }
        return {id, id};
    }

    // One character may be two in another case: a sharp s is ss.
    static void check_ligature(char32_t first, char32_t second) {
        if ((first == 's' && (second == 's' || second == 't')) ||
            (first == 'f' && (second == 'f' || second == 'i' || second == 'l'))) {
            throw NotInProgram{};
        }
    }

    std::uint32_t number_of(CharacterSet set) {
        std::vector<CharacterSet> &sets = program_.sets;
        const auto found = std::find(sets.begin(), sets.end(), set);
        const auto number = static_cast<std::uint32_t>(found - sets.begin());
        if (found == sets.end()) {
            sets.push_back(std::move(set));
        }
        return number;
    }

    void take_quantifier(Id id) {
        Node &repeated = node(id);
        if (reader_.take("{")) {
            repeated.least = repeated.most = reader_.number(most_repeated);
            if (reader_.take(",")) {
                repeated.most = reader_.is_at("}") ? Node::any_number : reader_.number(most_repeated);
            }
            // In ICU a plus after braces keeps all; elsewhere it repeats what stands before it.
            if (!reader_.take("}") || reader_.is_at("+") || repeated.most < std::max(repeated.least, 1U)) {
                throw NotInProgram{};
            }
        } else if (reader_.take("?")) {
            repeated.least = 0;
        } else if (reader_.take("*")) {
            repeated.least = 0;
            repeated.most = Node::any_number;
        } else if (reader_.take("+")) {
            repeated.most = Node::any_number;
        }
        if (repeated.least == 1 && repeated.most == 1) {
            return;
        }
        repeated.kind = Node::Kind::run;
        repeated.keeps_all = reader_.take("+");
    }

    Id after_passes(Id id) { return node(id).kind == Node::Kind::pass ? node(id).next : id; }

    // What depends on the nodes that it leads to, which are finished.
    void finish(std::size_t id) {
        Node &finished = program_.nodes[id];
        finished.next = after_passes(finished.next);
        const bool next_can_fail = can_fail_[finished.next];
        const Beginnings &next_begins = node(finished.next).begins;
        switch (finished.kind) {
            case Node::Kind::pass:
                break;
            case Node::Kind::end:
                finished.begins.set();
                break;
            case Node::Kind::one:
            case Node::Kind::run:
                finished.begins = beginnings_of(program_.sets[finished.part]);
                finished.keeps_all = finished.keeps_all || !next_can_fail || !is_useful_to_go_back(finished);
                finished.begins |= finished.least == 0 ? next_begins : Beginnings{};
                can_fail_[id] = finished.least > 0 || next_can_fail;
                break;
            case Node::Kind::choice:
                finish_choice(finished);
                break;
            case Node::Kind::look_ahead:
                finished.part = after_passes(finished.part);
                finished.begins = next_begins;
                can_fail_[id] = true;
                break;
        }
    }

    // Whether what comes after a run may begin with a character of the run; not yet for runs that may be empty.
    bool is_useful_to_go_back(const Node &run) {
        const Node &next = node(run.next);
        if ((run.begins & next.begins).none()) {
            return false;
        }
        const bool has_set = next.kind == Node::Kind::one || (next.kind == Node::Kind::run && next.least > 0);
        return !has_set || may_share(program_.sets[run.part], program_.sets[next.part]);
    }

    void finish_choice(Node &finished) {
        Choice &choice = program_.choices[finished.part];
        bool can_fail = true;
        for (std::size_t i = 0; i < choice.nodes.size(); ++i) {
            Id &branch = choice.nodes[i];
            branch = after_passes(branch);
            can_fail = can_fail && can_fail_[branch];
            finished.begins |= node(branch).begins;
            for (std::size_t c = 0; c < beginnings; ++c) {
                choice.by_beginning[c] |= std::uint64_t{node(branch).begins[c]} << i;
            }
        }
        can_fail_[static_cast<std::size_t>(&finished - program_.nodes.data())] = can_fail;
    }

    PatternReader reader_;
    Program program_;
    std::vector<bool> can_fail_;
};

}  // namespace

std::optional<Program> compile_pattern(std::string_view expression) {
    try {
        return Compiler(expression).compile();
    } catch (const NotInProgram &) {
        return std::nullopt;
    }
}

}  // namespace tenrex::text
