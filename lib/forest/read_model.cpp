#include "lib/forest/read_model.h"

#include <algorithm>

#include "lib/forest/lightgbm.h"
#include "lib/support/format.h"

namespace tenrex::forest {

namespace {

bool begins_ubjson(std::string_view bytes) noexcept {
    constexpr std::string_view lengths = "iUIlL";
    return bytes.size() > 1 && bytes[0] == '{' && (lengths.find(bytes[1]) != std::string_view::npos);
}

Result<Model> read_document(const Document &document, const DumpOptions &options) {
    using Kind = Document::Kind;
    const Document::Id root = document.root();
    if (document.kind(root) == Kind::list || document.kind(root) == Kind::numbers) {
        return read_xgboost_dump(document, options);
    }
    if (document.find(root, "learner") != Document::none) {
        return read_xgboost_model(document);
    }
    if (document.find(root, "tree_info") != Document::none) {
        return read_lightgbm_dump(document);
    }
    return document.error(root, "this is no model of LightGBM or XGBoost",
                          "a model of XGBoost has the member \"learner\", a dump of LightGBM \"tree_info\"");
}

}  // namespace

Result<Model> read_model(std::string_view bytes, const DumpOptions &options) {
    constexpr std::uint64_t most_bytes = UINT32_MAX;
    if (bytes.size() >= most_bytes) {
        return Error(fmt::format("the model has {} bytes; the most is {}", bytes.size(), most_bytes));
    }
    if (begins_ubjson(bytes)) {
        const Result<Document> document = Document::from_ubjson(bytes);
        return document ? read_document(*document, options) : Result<Model>(document.error());
    }
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && (bytes[first] == '{' || bytes[first] == '[')) {
        const Result<Document> document = Document::from_json(bytes);
        return document ? read_document(*document, options) : Result<Model>(document.error());
    }
    if (bytes.starts_with("tree")) {
        return read_lightgbm_text(bytes);
    }
    return error_at(bytes, FileKind::text, 0, std::min<std::size_t>(bytes.size(), 1),
                    "this is no model that can be read",
                    "a text or JSON of LightGBM, or JSON or UBJSON of XGBoost is expected; older binary files are not "
                    "read: save the model as JSON");
}

}  // namespace tenrex::forest
