// Symbols: parameters, features with arguments, $name.

#include "lib/support/format.h"
#include "lib/syntax/expression_parser.h"
#include "lib/types/quoted_text.h"

namespace tenrex::syntax {

// ".output" behind a name or a feature call.
bool ExpressionParser::output_name(std::string_view &output) {
    if (scan_.current() != '.') {
        return true;
    }
    scan_.advance();
    const std::uint32_t begin = scan_.position();
    while (has_class(scan_.current(), name_class) || scan_.current() == '.') {
        scan_.advance();
    }
    output = scan_.text(begin, scan_.position());
    return (!output.empty() && output.back() != '.') || scan_.expected("the name of an output after '.'");
}

const Node *ExpressionParser::symbol(Span name) {
    std::string_view output;
    if (!output_name(output)) {
        return nullptr;
    }
    const Span span = since(name.begin);
    return make<SymbolNode>(Kind::symbol, span, scan_.text(span.begin, span.end), scan_.text(name.begin, name.end),
                            std::span<const Name>(), output, false);
}

// $name, short for query(name).
const Node *ExpressionParser::query_symbol() {
    const std::uint32_t begin = scan_.position();
    scan_.advance();
    if (!has_class(scan_.current(), name_start_class)) {
        return scan_.expected("a name after '$'", "$name is short for query(name)");
    }
    const std::string_view name = scan_.name_run();
    const std::string_view text = arena_.copy(std::string_view(fmt::format("query({})", name)));
    const Name argument{name, since(begin + 1)};
    return make<SymbolNode>(Kind::symbol, since(begin), text, text.substr(0, 5),
                            std::span<const Name>(arena_.copy(std::span<const Name>(&argument, 1))), std::string_view(),
                            true);
}

// name(...) that is no function: everything up to the matching parenthesis belongs to the name.
const Node *ExpressionParser::feature(Span name, std::uint32_t open) {
    const std::uint32_t begin = name.begin;
    bool spaced = open != name.end;  // the text without white space is in buffer_
    buffer_.assign(spaced ? scan_.text(begin, name.end) : std::string_view());
    const auto length = [&] { return spaced ? buffer_.size() : scan_.position() - begin; };
    const auto keep = [&](std::uint32_t bytes) {
        if (spaced) {
            buffer_.append(scan_.text(scan_.position(), scan_.position() + bytes));
        }
        scan_.advance(bytes);
    };
    struct Part {
        std::size_t begin, end;  // in the text without white space
        Span span;
    };
    const std::size_t list = scratch_.mark();
    Part part{};
    std::uint32_t last_end = 0;  // of what belongs to the argument
    std::size_t depth = 0;
    scan_.move_to(open);
    do {
        const char c = scan_.current();
        if (is_space(c) || c == '#') {
            if (!spaced) {
                spaced = true;
                buffer_.assign(scan_.text(begin, scan_.position()));
            }
            scan_.skip_space();
            continue;
        }
        if (scan_.at_end()) {
            return scan_.unclosed(open);
        }
        depth -= c == ')';
        if (c == '(' && depth++ == 0) {
            keep(1);
            part = {length(), 0, {0, 0}};
            continue;
        }
        if ((c == ',' && depth == 1) || depth == 0) {
            part.end = length();
            part.span.end = part.span.end == 0 ? scan_.position() : last_end;
            part.span.begin = part.begin == part.end ? scan_.position() : part.span.begin;
            scratch_.push(part);
            keep(1);
            part = {length(), 0, {0, 0}};
            continue;
        }
        if (part.span.end == 0) {  // the first character of the argument
            part.span = {scan_.position(), 1};
        }
        if (c == '"') {
            const std::size_t end = closing_quote(scan_.text(), scan_.position());
            if (end == std::string_view::npos) {
                return scan_.unclosed(scan_.position());
            }
            keep(static_cast<std::uint32_t>(end + 1 - scan_.position()));
        } else {
            std::uint32_t bytes = 1;
            while (has_class(scan_.ahead(bytes), name_class)) {
                ++bytes;
            }
            keep(bytes);
        }
        last_end = scan_.position();
    } while (depth > 0);
    std::size_t size = length();
    const std::uint32_t output_begin = scan_.position();
    std::string_view output;
    if (!output_name(output)) {
        return nullptr;
    }
    if (spaced) {
        buffer_.append(scan_.text(output_begin, scan_.position()));
        size = buffer_.size();
    } else {
        size = scan_.position() - begin;
    }
    const std::string_view text = spaced ? arena_.copy(std::string_view(buffer_)) : scan_.text(begin, scan_.position());
    const std::span<const Part> parts = scratch_.take<Part>(list, arena_);
    for (const Part &entry : parts) {
        if (parts.size() > 1 || entry.begin != entry.end) {
            scratch_.push(Name{text.substr(entry.begin, entry.end - entry.begin), entry.span});
        }
    }
    return make<SymbolNode>(Kind::symbol, since(begin), text, scan_.text(begin, name.end),
                            scratch_.take<Name>(list, arena_), text.substr(size - output.size()), true);
}

}  // namespace tenrex::syntax
