// Texts as they are, for those that make something of them.
#include <utility>

#include "tools/rank/feature_column.h"

namespace tenrex::tool {

namespace {

class StringColumn : public FeatureColumn {
public:
    explicit StringColumn(std::size_t documents) { texts_.reserve(documents); }

    bool read(JsonCursor &json, SegmentLabels &, ValueProblem &problem) override {
        const std::size_t begin = (json.kind(), json.position());
        std::string_view text;
        if (json.kind() != JsonCursor::Kind::string) {
            return problem.refuse(json, "a text is expected", begin);
        }
        if (!json.string(text)) {
            return problem.refuse(json, {}, begin);
        }
        texts_.emplace_back(std::string(text));
        return true;
    }
    void add_missing() override { texts_.emplace_back(); }
    void truncate(std::size_t documents) override { texts_.resize(documents); }
    void finish(const SegmentLabels &) override {}

    // Plans do not see texts, only what is made of them.
    Column column(std::size_t, std::deque<Column::Fill> &) const override { return Column::dense(nullptr, 0); }
    void gather(std::size_t, GatheredColumn &) const override {}
    const std::string *text(std::size_t document) const noexcept override {
        return texts_[document] ? &*texts_[document] : nullptr;
    }
    std::size_t memory_bytes() const noexcept override {
        std::size_t bytes = texts_.capacity() * sizeof(texts_[0]);
        for (const auto &text : texts_) {
            bytes += text ? text->capacity() : 0;
        }
        return bytes;
    }

private:
    std::vector<std::optional<std::string>> texts_;
};

}  // namespace

std::unique_ptr<FeatureColumn> make_string_column(std::size_t documents) {
    return std::make_unique<StringColumn>(documents);
}

}  // namespace tenrex::tool
