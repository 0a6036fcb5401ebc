// Reads the options of a command with CLI11.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include "tools/command.h"
#include "tools/exit_code.h"
#include "tools/output.h"
#include "tools/terminal.h"

namespace tenrex::tool {

namespace {

// Stands in front of arguments that CLI11 must not interpret: an expression such as `-1+2` is no option, and `[1,2]` no
// list of arguments.
constexpr char guard = '\x1f';

bool needs_guard(std::string_view argument) {
    if (argument.size() < 2) {
        return false;
    }
    const auto second = static_cast<unsigned char>(argument[1]);
    return argument[0] == '[' || (argument[0] == '-' && second != '-' && std::isalpha(second) == 0);
}

constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();

// Whole numbers, which must fit: CLI11 takes the largest one for those that do not, and for negative ones what C does.
class WholeNumber : public CLI::Validator {
public:
    explicit WholeNumber(std::uint64_t least, std::uint64_t most = any_number) {
        func_ = [least, most](const std::string &text) {
            std::uint64_t number = 0;
            const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
            if (problem == std::errc() && end == text.data() + text.size() && number >= least && number <= most) {
                return std::string();
            }
            const bool too_large = problem == std::errc::result_out_of_range || most != any_number;
            return fmt::format("expected a whole number from {}{}, found {}", least,
                               too_large ? fmt::format(" to {}", most) : "", text);
        };
    }
};

class HelpFormatter : public CLI::Formatter {
public:
    explicit HelpFormatter(const Command &command) : command_(command) { column_width(30); }

    std::string make_usage(const CLI::App *, std::string) const override {
        std::string text;
        std::string_view rest = command_.synopsis;
        while (!rest.empty()) {
            const std::string_view line = rest.substr(0, rest.find('\n'));
            text += fmt::format("{} tenrex {} {}\n", text.empty() ? "\nUsage:" : "      ", command_.name, line);
            rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        }
        return text;
    }
    // Which options go together is told when it matters.
    std::string make_option_opts(const CLI::Option *option) const override {
        return option->get_type_size() == 0 ? std::string() : ' ' + option->get_type_name();
    }
    // The positional arguments are explained in the text.
    std::string make_positionals(const CLI::App *) const override { return {}; }

private:
    const Command &command_;
};

}  // namespace

ArgumentParser::ArgumentParser(const Command &command, std::string_view details, std::string_view examples)
    : app_(std::make_unique<CLI::App>(fmt::format("{}.\n\n{}", command.summary, details))), name_(command.name) {
    app_->formatter(std::make_shared<HelpFormatter>(command));
    app_->footer(std::string(examples));
    app_->set_help_flag("-h,--help", "Print this help and exit");
    add_choice("--color", color_, "WHEN", {"auto", "always", "never"},
               "Colour messages: auto, always, never\n(default: auto)");
    app_->add_option("arguments", positional_);
}

ArgumentParser::~ArgumentParser() = default;

void ArgumentParser::add_flag(const std::string &name, bool &value, const std::string &help) {
    app_->add_flag(name, value, help);
}

void ArgumentParser::add_option(const std::string &name, std::string &value, const std::string &form,
                                const std::string &help) {
    app_->add_option(name, value, help)->type_name(form);
}

void ArgumentParser::add_option(const std::string &name, double &value, const std::string &form,
                                const std::string &help) {
    app_->add_option(name, value, help)->type_name(form);
}

void ArgumentParser::add_option(const std::string &name, std::uint64_t &value, const std::string &form,
                                const std::string &help) {
    app_->add_option(name, value, help)->type_name(form)->check(WholeNumber(0));
}

void ArgumentParser::add_list(const std::string &name, Arguments &values, const std::string &form,
                              const std::string &help) {
    app_->add_option(name, values, help)->type_name(form)->allow_extra_args(false);
}

void ArgumentParser::add_choice(const std::string &name, std::string &value, const std::string &form,
                                const Arguments &choices, const std::string &help) {
    app_->add_option(name, value, help)->type_name(form)->check(CLI::IsMember(choices).description(""));
}

void ArgumentParser::add_count(const std::string &name, std::size_t &value, const std::string &form,
                               const std::string &help, std::size_t most) {
    app_->add_option(name, value, help)->type_name(form)->check(WholeNumber(1, most));
}

void ArgumentParser::add_counts(const std::string &name, std::vector<std::size_t> &values, const std::string &form,
                                const std::string &help) {
    app_->add_option(name, values, help)
        ->type_name(form)
        ->allow_extra_args(false)
        ->delimiter(',')
        ->check(WholeNumber(1));
}

void ArgumentParser::exclude(const std::string &name, std::initializer_list<const char *> others) {
    for (const char *other : others) {
        app_->get_option(name)->excludes(app_->get_option(other));
    }
}

void ArgumentParser::require(const std::string &name, const std::string &other) {
    app_->get_option(name)->needs(app_->get_option(other));
}

void ArgumentParser::add_file_option(std::string &path) {
    add_option("-f,--file", path, "FILE", "Read the expression from a file");
}

void ArgumentParser::add_dialect_option(std::string &dialect) {
    add_choice("--dialect", dialect, "DIALECT", {"core", "java"},
               "Meaning of the language: core or java\n(default: core)");
}

void ArgumentParser::add_seed_option(std::uint64_t &seed) {
    add_option("--seed", seed, "NUMBER", "Seed of random(...) (default: 0)");
}

void ArgumentParser::add_isa_option(std::string &isa) {
    add_option("--isa", isa, "LEVEL",
               "Compile for baseline, avx2, avx512 or native\n(default: what TENREX_MAX_ISA says, else native)");
}

void ArgumentParser::add_precision_option(std::string &precision) {
    add_choice("--precision", precision, "PRECISION", {"f32", "bf16", "int8"},
               "How networks are multiplied with their weights:\nf32, bf16 or int8 (default: f32)");
}

void ArgumentParser::add_model_option(ModelArguments &models) {
    add_precision_option(models.precision);
    add_list(
        "--model", models.files, "NAME=FILE",
        "A forest of LightGBM or XGBoost, or one in a file\nthat is called .onnx, that expressions call as\n"
        "forest(NAME), or a network in such a file, whose\noutputs they call as onnx(NAME).OUTPUT; may be\nrepeated");
}

void ArgumentParser::add_reference_option(bool &reference) {
    add_flag("--reference", reference,
             "Evaluate with the naive evaluator that the compiler is\ntested against, instead of compiling");
}

std::optional<int> ArgumentParser::parse(const Arguments &arguments) {
    // CLI11 takes the arguments from the back.
    Arguments guarded;
    bool options_ended = false;
    for (const std::string &argument : arguments) {
        guarded.push_back(argument);
        if (!options_ended && needs_guard(argument)) {
            guarded.back().insert(0, 1, guard);
        }
        options_ended |= argument == "--";
    }
    std::reverse(guarded.begin(), guarded.end());
    try {
        app_->parse(std::move(guarded));
    } catch (const CLI::CallForHelp &) {
        Output out(STDOUT_FILENO);
        out.write(app_->help());
        return finish(out, success);
    } catch (const CLI::ExtrasError &error) {
        const bool is_like_an_expression =
            std::any_of(arguments.begin(), arguments.end(), [](const std::string &argument) {
                return argument.size() > 1 && argument[0] == '-' && argument[1] != '-';
            });
        return usage_error(fmt::format(
            "{}{}", error.what(),
            is_like_an_expression ? "\nAn expression that begins with '-' needs '--' in front of it." : ""));
    } catch (const CLI::ParseError &error) {
        return usage_error(error.what());
    }
    for (std::string &argument : positional_) {
        if (!argument.empty() && argument.front() == guard) {
            argument.erase(0, 1);
        }
    }
    set_color_mode(color_ == "always"  ? ColorMode::always
                   : color_ == "never" ? ColorMode::never
                                       : ColorMode::automatic);
    return std::nullopt;
}

int ArgumentParser::usage_error(std::string_view message) const {
    print_failure(fmt::format("{}: {}\nTry 'tenrex {} --help'.", name_, message, name_));
    return usage;
}

}  // namespace tenrex::tool
