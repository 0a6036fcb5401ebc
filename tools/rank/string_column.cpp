// Texts as they are, for those that make something of them.
#include <utility>

#include "tools/rank/feature_column.h"

namespace tenrex::tool {

namespace {

class StringColumn : public FeatureColumn {
public:
    // has_lists: a value is a list of texts.
    StringColumn(std::size_t documents, bool has_lists) : has_lists_(has_lists) {
        texts_.reserve(has_lists ? 0 : documents);
        ends_.reserve(documents);
    }

    bool read(JsonCursor &json, SegmentLabels &, ValueProblem &problem) override {
        const std::size_t begin = (json.kind(), json.position());
        bool is_read = true;
        if (!has_lists_) {
            is_read = read_text(json, problem);
        } else if (json.kind() != JsonCursor::Kind::array) {
            return problem.refuse(json, "a list of texts is expected", begin);
        } else {
            for (bool more = json.enter_array(); more && is_read; more = is_read && json.next_element()) {
                is_read = read_text(json, problem);
            }
            is_read = is_read && (!json.failed() || problem.refuse(json, {}, begin));
        }
        if (!is_read) {
            texts_.resize(end());
            return false;
        }
        ends_.push_back({texts_.size(), true});
        return true;
    }
    void add_missing() override { ends_.push_back({texts_.size(), false}); }
    void truncate(std::size_t documents) override {
        ends_.resize(documents);
        texts_.resize(end());
    }
    void finish(const SegmentLabels &) override {}

    // Plans do not see texts, only what is made of them.
    Column column(std::size_t, std::deque<Column::Fill> &) const override { return Column::dense(nullptr, 0); }
    void gather(std::size_t, GatheredColumn &) const override {}
    std::optional<std::span<const std::string>> strings(std::size_t document) const noexcept override {
        if (!ends_[document].has_value) {
            return std::nullopt;
        }
        const std::size_t begin = document == 0 ? 0 : ends_[document - 1].texts;
        return std::span(texts_).subspan(begin, ends_[document].texts - begin);
    }
    std::size_t memory_bytes() const noexcept override {
        std::size_t bytes = texts_.capacity() * sizeof(texts_[0]) + ends_.capacity() * sizeof(ends_[0]);
        for (const std::string &text : texts_) {
            bytes += text.capacity();
        }
        return bytes;
    }

private:
    struct End {
        std::size_t texts = 0;  // those of this document and all before it
        bool has_value = false;
    };
    std::size_t end() const noexcept { return ends_.empty() ? 0 : ends_.back().texts; }

    bool read_text(JsonCursor &json, ValueProblem &problem) {
        const std::size_t begin = (json.kind(), json.position());
        std::string_view text;
        if (json.kind() != JsonCursor::Kind::string) {
            return problem.refuse(json, "a text is expected", begin);
        }
        if (!json.string(text)) {
            return problem.refuse(json, {}, begin);
        }
        texts_.emplace_back(text);
        return true;
    }

    bool has_lists_;
    std::vector<std::string> texts_;
    std::vector<End> ends_;
};

}  // namespace

std::unique_ptr<FeatureColumn> make_string_column(std::size_t documents) {
    return std::make_unique<StringColumn>(documents, false);
}

std::unique_ptr<FeatureColumn> make_string_lists_column(std::size_t documents) {
    return std::make_unique<StringColumn>(documents, true);
}

}  // namespace tenrex::tool
