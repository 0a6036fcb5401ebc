// A tiny search engine: inverted lists, a text score that is computed for those documents that are scored, embeddings
// inside the engine's own structs, and the best documents.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <tenrex/tenrex.h>

namespace {

struct Document {
    std::string title;
    float embedding[2];  // sweet, baked
    std::uint32_t words = 0;
};

class Engine {
public:
    explicit Engine(std::vector<Document> documents) : documents_(std::move(documents)) {
        for (std::uint32_t id = 0; id < documents_.size(); ++id) {
            std::istringstream words(documents_[id].title);
            for (std::string word; words >> word; ++documents_[id].words, ++words_) {
                std::vector<Posting> &list = lists_[word];
                if (list.empty() || list.back().document != id) {
                    list.push_back({id, 0});
                }
                ++list.back().count;
            }
        }
    }

    const std::vector<Document> &documents() const { return documents_; }

    // Writes the score of a text for the documents [first, first + count).
    void bm25(const std::string &text, std::size_t first, std::size_t count, double *scores) const {
        std::fill_n(scores, count, 0.0);
        const double size = static_cast<double>(documents_.size());
        std::istringstream words(text);
        for (std::string word; words >> word;) {
            const auto list = lists_.find(word);
            if (list == lists_.end()) {
                continue;
            }
            const double found = static_cast<double>(list->second.size());
            const double rarity = std::log(1 + (size - found + 0.5) / (found + 0.5));
            auto posting = std::lower_bound(list->second.begin(), list->second.end(), first,
                                            [](const Posting &p, std::size_t id) { return p.document < id; });
            for (; posting != list->second.end() && posting->document < first + count; ++posting) {
                const double length = documents_[posting->document].words * size / words_;
                const double frequency = posting->count;
                scores[posting->document - first] +=
                    rarity * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length));
            }
        }
    }

private:
    struct Posting {
        std::uint32_t document;
        std::uint32_t count;
    };
    std::vector<Document> documents_;
    std::map<std::string, std::vector<Posting>> lists_;
    std::uint32_t words_ = 0;
};

}  // namespace

int main() {
    const Engine engine({{"apple pie", {0.9f, 0.9f}},
                         {"apple apple tree", {0.3f, 0}},
                         {"pear pie recipe", {0.8f, 1}},
                         {"garden fence", {0, 0}},
                         {"apple and pear cake", {1, 1}}});
    tenrex::Schema schema;
    schema.query("query(taste)", "tensor<float>(x[2])");
    schema.document("bm25(title)");
    schema.document("embedding", "tensor<float>(x[2])");
    const auto plan = tenrex::compile("if(bm25(title) > 0, bm25(title) + sum(query(taste) * embedding), 0)", schema);
    const auto taste = tenrex::from_literal("tensor<float>(x[2]):[0.25,0.5]");
    if (!plan || !taste) {
        std::fputs((plan ? taste.error() : plan.error()).render().c_str(), stderr);
        return 1;
    }
    const auto query = plan->bind({{"query(taste)", *taste}});
    if (!query) {
        return 1;
    }

    // The text score is asked for piece by piece while documents are scored; embeddings are read where they are.
    const tenrex::Column::Fill bm25 = [&](std::size_t first, std::size_t count, void *cells) {
        engine.bm25("apple pie", first, count, static_cast<double *>(cells));
    };
    const std::vector<Document> &documents = engine.documents();
    const tenrex::Column columns[] = {tenrex::Column::computed(bm25),
                                      tenrex::Column::dense(documents.front().embedding, sizeof(Document))};
    tenrex::Context context(*plan);
    std::vector<double> scores(documents.size());
    if (const auto status = query->evaluate({documents.size(), columns}, context, scores); !status) {
        std::fputs(status.error().render().c_str(), stderr);
        return 1;
    }

    std::vector<std::pair<double, std::uint32_t>> best;
    for (std::uint32_t id = 0; id < scores.size(); ++id) {
        if (scores[id] > 0) {
            best.emplace_back(-scores[id], id);
        }
    }
    const std::size_t most = std::min<std::size_t>(3, best.size());
    std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(most), best.end());
    for (std::size_t i = 0; i < most; ++i) {
        std::printf("%.3f  %s\n", -best[i].first, documents[best[i].second].title.c_str());
    }
}
