#include "examples/sqlite_extension/scorer.h"

#include <algorithm>
#include <chrono>

SQLITE_EXTENSION_INIT3

namespace tenrex::sqlite {

namespace {

constexpr std::size_t most_programs = 100;

std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> words;
    constexpr std::string_view separators = " ,\t\r\n";
    for (std::size_t at = text.find_first_not_of(separators); at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
        words.emplace_back(text.substr(at, end - at));
        at = text.find_first_not_of(separators, end);
    }
    return words;
}

// Tells requests apart.
std::string key_of(const Request &request) {
    std::string key;
    const auto append = [&key](std::string_view part) {
        key += std::to_string(part.size());
        key += ':';
        key += part;
    };
    append(request.text);
    append(request.has_text_features ? "fts" : "");
    append(request.profile);
    append(request.phase);
    for (const std::string &field : request.fields) {
        append("@" + field);
    }
    for (const InputName &input : request.inputs) {
        append(input.to_string());
    }
    return key;
}

}  // namespace

Result<std::unique_ptr<Scorer>> Scorer::make(ProgramCache &cache, std::span<sqlite3_value *const> arguments,
                                             bool has_text_features) {
    std::unique_ptr<Scorer> scorer(new Scorer());
    scorer->request_.has_text_features = has_text_features;
    scorer->now_ = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    if (Status status = scorer->read_arguments(arguments); !status) {
        return status.error();
    }
    if (Status status = scorer->compile(cache); !status) {
        return status.error();
    }
    return scorer;
}

Status Scorer::read_arguments(std::span<sqlite3_value *const> arguments) {
    if (arguments.empty() || sqlite3_value_type(arguments[0]) != SQLITE_TEXT) {
        return Error("the first argument must be an expression or a rank profile, as text");
    }
    request_.text = bytes_of(arguments[0]);
    fixed_.push_back({0, request_.text});
    for (std::size_t i = 1; i < arguments.size(); i += 2) {
        if (sqlite3_value_type(arguments[i]) != SQLITE_TEXT) {
            return Error("argument " + std::to_string(i + 1) + " must be the name of an input, as text");
        }
        const std::string_view name = bytes_of(arguments[i]);
        fixed_.push_back({i, std::string(name)});
        if (i + 1 == arguments.size()) {
            return Error("'" + std::string(name) + "' has no value", "inputs are pairs of a name and a value");
        }
        if (name.starts_with('@')) {
            if (sqlite3_value_type(arguments[i + 1]) != SQLITE_TEXT) {
                return Error("the value of '" + std::string(name) + "' must be a text");
            }
            const std::string_view value = bytes_of(arguments[i + 1]);
            fixed_.push_back({i + 1, std::string(value)});
            if (Status status = read_option(std::string(name), value); !status) {
                return status;
            }
            continue;
        }
        auto input = parse_input_name(name);
        if (!input) {
            return input.error();
        }
        const bool known = std::any_of(request_.inputs.begin(), request_.inputs.end(),
                                       [&](const InputName &other) { return other.name == input->name; });
        if (known) {
            return Error("'" + input->name + "' is given twice");
        }
        request_.inputs.push_back(*std::move(input));
        value_index_.push_back(i + 1);
    }
    values_.resize(request_.inputs.size());
    if (!is_profile(request_.text)) {
        if (!request_.profile.empty() || !request_.phase.empty()) {
            return Error("an expression has no profiles and phases");
        }
        // Values of expressions say what they are, unless their names do.
        for (std::size_t i = 0; i < values_.size(); ++i) {
            InputName &input = request_.inputs[i];
            if (!input.type) {
                if (Status status = values_[i].read(arguments[value_index_[i]], input); !status) {
                    return status;
                }
                input.type = values_[i].type();
            }
        }
    }
    return {};
}

Status Scorer::read_option(const std::string &name, std::string_view value) {
    if (name == "@fields" && request_.has_text_features) {
        request_.fields = split(value);
    } else if (name == "@profile") {
        request_.profile = value;
    } else if (name == "@phase" && (value == "first-phase" || value == "second-phase")) {
        request_.phase = value;
    } else if (name == "@phase") {
        return Error("'@phase' must be first-phase or second-phase, not '" + std::string(value) + "'",
                     "a global phase depends on all hits, so it is no function of a row");
    } else {
        return Error("there is no option '" + name + "'", request_.has_text_features
                                                              ? "there are @fields, @profile and @phase"
                                                              : "there are @profile and @phase");
    }
    return {};
}

Status Scorer::compile(ProgramCache &cache) {
    const std::string key = key_of(request_);
    const auto found = cache.find(key);
    if (found != cache.end()) {
        program_ = found->second;
    } else {
        auto program = make_program(request_);
        if (!program) {
            return program.error();
        }
        if (cache.size() >= most_programs) {
            cache.clear();
        }
        program_ = *program;
        cache.emplace(key, program_);
    }
    context_.emplace(program_->plan);
    text_features_.emplace(program_->text_features);
    text_values_.resize(program_->text_features.size());
    return {};
}

bool Scorer::fits(std::span<sqlite3_value *const> arguments) const {
    return std::all_of(fixed_.begin(), fixed_.end(), [&](const Fixed &fixed) {
        return fixed.index < arguments.size() && sqlite3_value_type(arguments[fixed.index]) == SQLITE_TEXT &&
               bytes_of(arguments[fixed.index]) == fixed.text;
    });
}

Status Scorer::read_values(std::span<sqlite3_value *const> arguments) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
        if (program_->is_used[i]) {
            if (Status status = values_[i].read(arguments[value_index_[i]], program_->inputs[i]); !status) {
                return status;
            }
            // A row that has no score binds nothing, so this holds until a row does.
            query_changed_ = query_changed_ || (program_->inputs[i].of_query() && values_[i].changed());
        }
    }
    return {};
}

Status Scorer::bind() {
    if (query_ && !query_changed_) {
        return {};
    }
    std::vector<NamedTensor> given;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        if (program_->inputs[i].of_query()) {
            given.emplace_back(program_->inputs[i].name, values_[i].tensor());
        }
    }
    query_.reset();
    if (program_->profile) {
        auto all = program_->profile->query_values(given, now_);
        if (!all) {
            return all.error();
        }
        given = *std::move(all);
    }
    auto query = program_->plan.bind(given);
    if (!query) {
        return query.error();
    }
    query_ = *std::move(query);
    query_changed_ = false;
    return {};
}

Result<std::optional<double>> Scorer::score(std::span<sqlite3_value *const> arguments, const FtsRow &row) {
    if (const Status status = read_values(arguments); !status) {
        return status.error();
    }
    if (std::any_of(values_.begin(), values_.end(), [](const InputValue &value) { return value.missing(); })) {
        return std::optional<double>();
    }
    if (text_features_->size() > 0) {
        const int status = text_features_->compute(*row.api, row.context, text_values_.data());
        if (status == SQLITE_RANGE) {
            return Error("the table has no column " + std::to_string(text_features_->highest_field()) +
                         " (they are counted from 0)");
        }
        if (status != SQLITE_OK) {
            return Error(std::string("FTS5: ") + sqlite3_errstr(status));
        }
    }
    std::vector<Column> columns;
    columns.reserve(program_->columns.size());
    for (const Program::Source &source : program_->columns) {
        columns.push_back(source.is_text_feature ? Column::dense(&text_values_[source.index], 0)
                                                 : values_[source.index].column(program_->plan.labels()));
    }
    if (const Status status = bind(); !status) {
        return status.error();
    }
    double score = 0;
    if (const Status status = query_->evaluate({1, columns}, *context_, std::span(&score, 1)); !status) {
        return status.error();
    }
    return std::optional(score);
}

}  // namespace tenrex::sqlite
