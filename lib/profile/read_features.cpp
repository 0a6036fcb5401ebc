// Lists of a profile: names of others, and features that are shown with hits.
#include "lib/profile/reader.h"
#include "lib/support/format.h"
#include "lib/types/characters.h"

namespace tenrex::profile {

namespace {

// Features that are separated by white space.
void add_features(Reader &in, Span span, FeatureList &list) {
    const std::uint32_t after = in.position();
    in.move_to(span.begin);
    for (in.skip(); in.position() < span.end; in.skip()) {
        const std::uint32_t begin = in.position();
        std::size_t depth = 0;
        std::uint32_t at = begin;
        for (; at < span.end; ++at) {
            const char c = in.text()[at];
            if (depth == 0 && (is_space(c) || c == '#')) {
                break;
            }
            depth += c == '(';
            depth -= c == ')' && depth > 0;
        }
        if (in.text()[at - 1] == ',') {
            in.findings().error({at - 1, at}, "features are separated by blanks, not by commas");
            in.move_to(at);
            continue;
        }
        FeatureText feature;
        feature.name.span = {begin, at};
        feature.name.text = in.text(feature.name.span);
        feature.expression.span = feature.name.span;
        list.features.push_back(std::move(feature));
        in.move_to(at);
    }
    in.move_to(after);
}

// The name of a profile, which is "outer.inner" if it stands within another one.
bool read_profile_name(Reader &in, Word &name) {
    if (!in.expect_word("the name of a profile", name)) {
        return false;
    }
    const std::string_view text = in.text();
    while (in.position() + 1 < text.size() && text[in.position()] == '.' && is_name_start(text[in.position() + 1])) {
        in.move_to(in.position() + 1);
        name.span.end = in.word().span.end;
    }
    name.text = in.text(name.span);
    return true;
}

}  // namespace

bool read_names(Reader &in, std::vector<Word> &names) {
    do {
        Word name;
        if (!read_profile_name(in, name)) {
            return false;
        }
        names.push_back(std::move(name));
    } while (in.take(','));
    return true;
}

bool read_features(Reader &in, const Word &setting, FeatureList &list) {
    list.given = true;
    if (in.next() == ':') {
        in.move_to(in.position() + 1);
        add_features(in, in.value(false), list);
        return true;
    }
    if (in.next() != '{') {
        const Word inherits = in.word();
        if (inherits.text != "inherits") {
            in.move_to(inherits.span.begin);
            return in.unexpected(fmt::format("':', '{{' or inherits after {}", setting.text));
        }
        if (!read_names(in, list.inherits)) {
            return false;
        }
    }
    in.skip();
    const std::uint32_t open = in.position();
    if (!in.expect('{', fmt::format("after {}", setting.text))) {
        return false;
    }
    const auto end = in.block_end(open);
    if (!end) {
        return true;
    }
    add_features(in, {in.position(), *end}, list);
    in.move_to(*end + 1);
    return true;
}

}  // namespace tenrex::profile
