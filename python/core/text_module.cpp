// The module tenrex._text: tokenizers. It is a module of its own since it needs ICU, which is loaded when a tokenizer
// is.
#include <cstdint>
#include <vector>

#include <tenrex/tokenizer.h>

#include "python/core/python.h"

namespace tenrex::python {

namespace {

// What calls use again: one for each thread, whatever the tokenizer.
TokenizerScratch &scratch() {
    static thread_local TokenizerScratch memory;
    return memory;
}

Tokenizer load_tokenizer(const py::str &path, bool lower_case) {
    const std::string name = from_python(path);
    Result<Tokenizer> tokenizer = [&] {
        const py::gil_scoped_release released;
        return Tokenizer::load(name, {lower_case});
    }();
    return require(std::move(tokenizer));
}

// is_vocabulary: a token a line; else in the form of tokenizer.json.
Tokenizer read_tokenizer(const py::object &content, bool is_vocabulary, bool lower_case) {
    BufferView view;
    view.borrow_bytes(content);
    Result<Tokenizer> tokenizer = [&] {
        const py::gil_scoped_release released;
        const std::string_view text(static_cast<const char *>(view->buf), view.bytes());
        return is_vocabulary ? Tokenizer::read_vocabulary(text, {lower_case}) : Tokenizer::read(text);
    }();
    return require(std::move(tokenizer));
}

std::vector<std::string> texts_of(const py::object &list) {
    std::vector<std::string> texts;
    if (!list.is_none()) {
        const py::sequence sequence(list);
        texts.reserve(sequence.size());
        for (const py::handle text : sequence) {
            texts.push_back(from_python(text));
        }
    }
    return texts;
}

// What became of many texts, one after the other.
struct Batch {
    std::vector<std::int64_t> starts = {0};
    std::vector<std::uint32_t> ids;
    std::vector<std::uint32_t> type_ids;
    std::vector<std::uint32_t> offsets;  // two for each token
    std::vector<std::uint8_t> truncated;

    void add(const Tokens &tokens) {
        ids.insert(ids.end(), tokens.ids.begin(), tokens.ids.end());
        type_ids.insert(type_ids.end(), tokens.type_ids.begin(), tokens.type_ids.end());
        for (const TextRange &range : tokens.offsets) {
            offsets.push_back(range.begin);
            offsets.push_back(range.end);
        }
        starts.push_back(static_cast<std::int64_t>(ids.size()));
        truncated.push_back(tokens.is_truncated ? 1 : 0);
    }

    py::tuple arrays() const {
        const auto vector = [](const auto &elements, char format) {
            return array_of(std::span(elements), py::int_(elements.size()), format);
        };
        return py::make_tuple(vector(starts, 'l'), vector(ids, 'I'), vector(type_ids, 'I'),
                              array_of(std::span(offsets), py::make_tuple(ids.size(), 2), 'I'), vector(truncated, '?'));
    }
};

// pairs: None, or a text for each.
py::tuple encode(const Tokenizer &tokenizer, const py::object &texts, const py::object &pairs, bool in_bytes,
                 bool special, bool plain, const py::object &max_length) {
    const std::vector<std::string> first = texts_of(texts), second = texts_of(pairs);
    const bool of_pairs = !pairs.is_none();
    TokenizeOptions options{in_bytes ? OffsetUnit::bytes : OffsetUnit::code_points, special, plain, {}};
    if (!max_length.is_none()) {
        options.max_length = py::cast<std::size_t>(max_length);
    }
    Batch batch;
    const Status status = [&]() -> Status {
        const py::gil_scoped_release released;
        batch.starts.reserve(first.size() + 1);
        batch.truncated.reserve(first.size());
        Tokens tokens;
        for (std::size_t i = 0; i < first.size(); ++i) {
            const auto pair = of_pairs ? std::optional<std::string_view>(second[i]) : std::nullopt;
            if (const Status done = tokenizer.tokenize(first[i], pair, options, scratch(), tokens); !done) {
                Error error = done.error();
                if (first.size() > 1) {
                    error.set_source_name("text " + std::to_string(i));
                }
                return error;
            }
            batch.add(tokens);
        }
        return {};
    }();
    require(status);
    return batch.arrays();
}

}  // namespace

}  // namespace tenrex::python

PYBIND11_MODULE(_text, module) {
    using namespace tenrex::python;
    using tenrex::Tokenizer;
    py::options options;
    options.disable_function_signatures();
    py::class_<Tokenizer>(module, "Tokenizer")
        .def_static("load", &load_tokenizer)
        .def_static("read", &read_tokenizer)
        .def("encode", &encode)
        .def("token",
             [](const Tokenizer &tokenizer, std::uint32_t id) -> py::object {
                 const std::string_view token = tokenizer.token(id);
                 return token.empty() ? py::object(py::none()) : py::object(to_python(token));
             })
        .def("id_of",
             [](const Tokenizer &tokenizer, const py::str &token) { return tokenizer.id_of(from_python(token)); })
        .def_property_readonly("size", &Tokenizer::vocabulary_size);
}
