// Reads the exact style of text.cpp. A line is split from its end, where type, stage and operands stand, so that the
// payload in the middle may hold anything.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tenrex/formats.h>

#include "lib/ir/forest_text.h"
#include "lib/ir/gather_text.h"
#include "lib/ir/read_payloads.h"
#include "lib/ir/read_words.h"
#include "lib/ir/text.h"
#include "lib/ir/verify.h"
#include "lib/support/format.h"
#include "lib/types/number.h"
#include "lib/types/quoted_text.h"
#include "lib/types/type_reader.h"

namespace tenrex::ir {

namespace {

class GraphReader {
public:
    GraphReader(std::string_view text, const Schema &schema) : text_(text), schema_(&schema) {}

    Result<Graph> run() {
        while (!text_.empty() && problem_.empty()) {
            const std::size_t end = std::min(text_.find('\n'), text_.size());
            const std::string_view line = text_.substr(0, end);
            text_.remove_prefix(std::min(end + 1, text_.size()));
            ++line_;
            if (line.starts_with("return ")) {
                output(line.substr(7));
            } else {
                node(line);
            }
        }
        if (problem_.empty() && graph_.outputs().empty()) {
            fail("nothing is returned");
        }
        if (!problem_.empty()) {
            return Error(fmt::format("line {}: {}", line_, problem_));
        }
        if (const auto wrong = Verifier().violation(graph_)) {
            return Error(*wrong);
        }
        return std::move(graph_);
    }

private:
    bool fail(std::string problem) {
        if (problem_.empty()) {
            problem_ = std::move(problem);
        }
        return false;
    }
    bool expected(std::string_view what) { return fail(fmt::format("expected {}", what)); }

    // Takes " %7" from the end of the text; false if it ends with something else.
    bool take_operand(std::string_view &text, NodeId &operand) {
        const std::size_t digits = text.find_last_not_of("0123456789") + 1;
        if (digits == text.size() || digits < 2 || text[digits - 1] != '%' || text[digits - 2] != ' ') {
            return false;
        }
        const double number = read_decimal(text.substr(digits)).value;
        if (number >= static_cast<double>(nodes_.size())) {
            return fail(fmt::format("there is no node {} before this one", text.substr(digits - 1)));
        }
        operand = nodes_[static_cast<std::size_t>(number)];
        text = text.substr(0, digits - 2);
        return true;
    }

    // "%3", "\"name\" = %3", or "size (s) = %4"
    void output(std::string_view text) {
        const std::string with_space = fmt::format(" {}", text);
        std::string_view rest = with_space;
        GraphOutput output{"", 0};
        if (!take_operand(rest, output.node)) {
            expected("a node such as %0 after return");
            return;
        }
        TextReader in(rest);
        const bool is_size = accept_word(in, "size");
        const bool is_named = is_size || in.next() == '"';
        const bool is_read = is_size ? read_one_name(in, output.size_of) : !is_named || read_text(in, output.name);
        if (!is_read || (is_named && !in.accept('='))) {
            expected("\"name\" = or size (dimension) = in front of the node");
            return;
        }
        in.skip_space();
        if (!in.at_end()) {
            expected("nothing but a name in front of the node");
            return;
        }
        graph_.add_output(std::move(output));
    }

    // "%2 = contract * sum (x) %0 %1 : double document"
    void node(std::string_view line) {
        const std::string head = fmt::format("%{} = ", nodes_.size());
        const std::size_t colon = line.rfind(" : ");
        if (!line.starts_with(head) || colon == std::string_view::npos || colon < head.size()) {
            expected(fmt::format("{}OPERATION ... : TYPE STAGE", head));
            return;
        }
        const std::string_view right = line.substr(colon + 3);
        const std::size_t space = std::min(right.rfind(' '), right.size());
        const auto type = TensorType::parse(right.substr(0, space));
        const std::string_view stage = right.substr(std::min(space + 1, right.size()));
        if (!type) {
            fail(type.error().message());
            return;
        }
        std::string_view rest = line.substr(head.size(), colon - head.size());
        const std::string_view op_name = rest.substr(0, rest.find(' '));
        rest.remove_prefix(op_name.size());
        const std::optional<Op> known = op_from_name(op_name);
        if (!known) {
            fail(fmt::format("there is no operation '{}'", clipped(op_name)));
            return;
        }
        const Op op = *known;
        operands_.clear();
        NodeId operand = 0;
        while (op != Op::constant && op != Op::input && take_operand(rest, operand)) {
            operands_.push_back(operand);
        }
        std::reverse(operands_.begin(), operands_.end());
        type_ = &*type;
        stage_ = stage;
        TextReader in(rest);
        std::optional<Payload> payload = read_payload(in, op);
        if (!payload) {
            expected(fmt::format("the attributes of {}", op_name));
        }
        in.skip_space();
        if (!problem_.empty() || !in.at_end()) {
            expected(fmt::format("operands behind the attributes, found '{}'", clipped(in.rest())));
            return;
        }
        nodes_.push_back(graph_.add(op, *type, operands_, *std::move(payload)));
        if (name(graph_[nodes_.back()].stage) != stage) {
            fail(fmt::format("the stage is {}", name(graph_[nodes_.back()].stage)));
        }
    }

    // ---- payloads

    template <class Own>
    std::optional<Payload> read_as(TextReader &in) {
        Own own;
        return read(in, own) ? std::optional<Payload>(std::move(own)) : std::nullopt;
    }
    std::optional<Payload> read_payload(TextReader &in, Op op) {
        switch (op) {
#define TENREX_OP(id, name, least, most, payload, traits, summary) \
    case Op::id:                                                   \
        return read_as<payload>(in);
#include "lib/ir/ops.def"
        }
        return std::nullopt;
    }

    template <class Own>
    static bool read(TextReader &in, Own &own) {
        return ir::read(in, own);
    }

    static bool read(TextReader &, NoPayload &) {
        return true;
    }

    bool read(TextReader &in, Constant &constant) {
        in.skip_space();
        const auto value = from_literal(in.rest(), *type_);
        if (!value) {
            return fail(value.error().message());
        }
        in.seek(in.text().size());
        if (type_->is_scalar()) {
            constant.number = value->as_double();
        } else {
            constant.value = std::make_shared<const Tensor>(*value);
        }
        return true;
    }

    bool read(TextReader &in, Input &input) {
        std::string written;
        if (!read_text(in, written)) {
            return false;
        }
        std::optional<TensorType> declared;
        if (accept_word(in, "of")) {
            WrittenType type;
            if (!read_type(in, {}, type)) {
                return false;
            }
            declared = std::move(type.type);
        }
        for (const Stage stage : {Stage::constant, Stage::query, Stage::document}) {
            if (name(stage) == stage_ && (is_body_ || stage != Stage::constant)) {
                input.index = graph_.add_input({written, *type_, stage, std::move(declared)});
                return true;
            }
        }
        return false;
    }

    bool read(TextReader &in, Apply &apply) {
        return read_function(in, operands_.size(), apply.function);
    }

    bool read(TextReader &in, User &user) {
        std::string_view written;
        if (!read_word(in, written)) {
            return false;
        }
        const auto known = std::find_if(functions_.begin(), functions_.end(),
                                        [&](const auto &function) { return function->name == written; });
        if (known != functions_.end()) {
            user.function = *known;
            return true;
        }
        const UserFunction *const given = schema_->find_function(written);
        if (given == nullptr) {
            return fail(fmt::format("there is no function '{}'", clipped(written)));
        }
        user.function = functions_.emplace_back(std::make_shared<const UserFunction>(*given));
        return true;
    }

    bool read(TextReader &in, Slice &slice) {
        std::string_view written;
        if (!read_one_name(in, slice.dimension) || !read_word(in, written) || written != "from" ||
            !read_integer(in, slice.begin)) {
            return false;
        }
        slice.size = size_of(slice.dimension);
        return true;
    }

    // Names of dimensions of the result, which has their sizes.
    bool read_dimensions(TextReader &in, std::vector<Dimension> &dimensions) {
        std::vector<std::string> written;
        if (!read_names(in, written)) {
            return false;
        }
        for (std::string &name : written) {
            const std::uint64_t size = size_of(name);
            dimensions.push_back({std::move(name), size});
        }
        return true;
    }

    bool read(TextReader &in, Reshape &reshape) {
        return read_names(in, reshape.dimensions) && read_dimensions(in, reshape.becomes);
    }

    bool read(TextReader &in, ToIndexed &change) {
        return read_dimensions(in, change.dimensions);
    }

    bool read(TextReader &in, Peek &peek) {
        return read_list(in, '{', '}', [&] { return peek_part(in, peek.parts.emplace_back()); });
    }

    bool read(TextReader &in, Pack &pack) {
        for (const Dimension &dimension : type_->dimensions()) {
            if (!operands_.empty() && !graph_[operands_[0]].type->find(dimension.name)) {
                pack.dimensions.push_back(dimension);
            }
        }
        const auto label = [&] { return read_text(in, pack.addresses.back().emplace_back()); };
        const auto address = [&] {
            pack.addresses.emplace_back();
            return read_list(in, '[', ']', label);
        };
        const auto cell = [&] {
            PackCell &place = pack.cells.emplace_back();
            return read_integer(in, place.block) && in.accept(':') && read_integer(in, place.index);
        };
        return read_list(in, '[', ']', address) && read_list(in, '{', '}', cell);
    }

    bool read(TextReader &in, Gather &gather) {
        return ir::read(in, *type_, gather);
    }

    // A graph on one line. No name or label stands in it, so that nothing is quoted but the numbers of its inputs.
    bool read(TextReader &in, Region &region) {
        in.skip_space();
        std::string_view text = in.rest();
        const std::size_t end = text.rfind('}');
        if (!text.starts_with('{') || end == std::string_view::npos || is_body_) {
            return false;
        }
        in.seek(in.position() + end + 1);
        text = text.substr(1, end - 1);
        std::string lines;
        while (!text.empty()) {
            const std::size_t next = std::min(text.find("; "), text.size());
            lines += text.substr(0, next);
            lines += '\n';
            text.remove_prefix(std::min(next + 2, text.size()));
        }
        GraphReader reader(lines, *schema_);
        reader.is_body_ = true;
        Result<Graph> body = reader.run();
        if (!body) {
            return fail(body.error().message());
        }
        region.body = std::make_shared<const Graph>(*std::move(body));
        return true;
    }

    // "x:3" of an indexed dimension, "k:label" of a mapped one, "k:(operand 2)"
    bool peek_part(TextReader &in, PeekPart &part) {
        in.skip_space();
        part.dimension = in.name();
        if (part.dimension.empty() || !in.accept(':') || operands_.empty()) {
            return false;
        }
        if (in.accept('(')) {
            in.skip_space();
            return in.name() == "operand" && read_integer(in, part.computed) && in.accept(')');
        }
        const TensorType &type = *graph_[operands_[0]].type;
        const auto found = type.find(part.dimension);
        const bool indexed = found && type.dimensions()[*found].is_indexed();
        return indexed ? read_integer(in, part.index) : read_text(in, part.label);
    }

    // That the node's type gives the dimension; 0 if it has none of that name.
    std::uint64_t size_of(std::string_view dimension) const {
        const auto found = type_->find(dimension);
        return found ? type_->dimensions()[*found].size : 0;
    }

    std::string_view text_;
    const Schema *schema_;
    bool is_body_ = false;  // of a region
    Graph graph_;
    std::vector<NodeId> nodes_;     // by number
    std::vector<NodeId> operands_;  // of the node being read, as the next two
    const TensorType *type_ = nullptr;
    std::string_view stage_;
    std::vector<std::shared_ptr<const UserFunction>> functions_;
    std::size_t line_ = 0;
    std::string problem_;
};

}  // namespace

Result<Graph> read_graph(std::string_view text, const Schema &schema) {
    return GraphReader(text, schema).run();
}

}  // namespace tenrex::ir
