// Texts as the words in them: numbers of words of the segment, text by text.
#include <utility>

#include "tools/rank/feature_column.h"
#include "tools/rank/words.h"

namespace tenrex::tool {

namespace {

class WordsColumn : public FeatureColumn {
public:
    explicit WordsColumn(std::size_t documents) { texts_.ends.reserve(documents); }

    // A text, or an array of texts, whose words follow each other.
    bool read(JsonCursor &json, SegmentLabels &, ValueProblem &problem) override {
        const std::size_t begin = (json.kind(), json.position());
        bool good = true;
        if (json.kind() == JsonCursor::Kind::array) {
            for (bool more = json.enter_array(); good && more; more = good && json.next_element()) {
                good = add_text(json, problem, begin);
            }
            good = good && (!json.failed() || problem.refuse(json, {}, begin));
        } else {
            good = add_text(json, problem, begin);
        }
        if (good) {
            texts_.ends.push_back(texts_.words.size());
        } else {
            truncate(texts_.ends.size());
        }
        return good;
    }
    void add_missing() override { texts_.ends.push_back(texts_.words.size()); }
    void truncate(std::size_t documents) override {
        texts_.ends.resize(documents);
        texts_.words.resize(documents == 0 ? 0 : texts_.ends.back());
    }
    void finish(const SegmentLabels &) override { texts_.words.shrink_to_fit(); }

    // Plans do not see words, only what is computed of them.
    Column column(std::size_t, std::deque<Column::Fill> &) const override { return Column::dense(nullptr, 0); }
    void gather(std::size_t, GatheredColumn &) const override {}
    const SegmentTexts *texts() const noexcept override { return &texts_; }
    std::size_t memory_bytes() const noexcept override {
        std::size_t bytes =
            texts_.words.capacity() * sizeof(texts_.words[0]) + texts_.ends.capacity() * sizeof(texts_.ends[0]);
        for (const auto &entry : texts_.numbers) {
            bytes += sizeof(entry) + entry.first.size();
        }
        return bytes;
    }

private:
    bool add_text(JsonCursor &json, ValueProblem &problem, std::size_t begin) {
        std::string_view text;
        if (json.kind() != JsonCursor::Kind::string) {
            return problem.refuse(json, "a text is expected", begin);
        }
        if (!json.string(text)) {
            return problem.refuse(json, {}, begin);
        }
        for (std::string &word : words_of(text)) {
            const auto number = static_cast<std::uint32_t>(texts_.numbers.size());
            texts_.words.push_back(texts_.numbers.try_emplace(std::move(word), number).first->second);
        }
        return true;
    }

    SegmentTexts texts_;
};

}  // namespace

std::unique_ptr<FeatureColumn> make_words_column(std::size_t documents) {
    return std::make_unique<WordsColumn>(documents);
}

}  // namespace tenrex::tool
