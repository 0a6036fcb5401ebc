// Operators that compute each element of the result of one element of each operand.
#include <cmath>

#include <fmt/format.h>

#include "lib/onnx/operators.h"
#include "lib/onnx/size_arithmetic.h"

namespace tenrex::onnx {

namespace {

bool is_integer(ElementType type) noexcept {
    return info(type).kind == ElementKind::integer;
}

// The shape that all inputs from the first are broadcast to; nothing: told.
std::optional<Shape> common_shape(NodeContext &context) {
    Shape shape;
    for (std::size_t i = 0; i < context.inputs(); ++i) {
        const auto wider = broadcast(shape, context.input(i).shape);
        if (!wider) {
            std::vector<std::string> shapes;
            for (std::size_t k = 0; k < context.inputs(); ++k) {
                shapes.push_back(context.text_of(context.input(k).shape));
            }
            context.fail(fmt::format("the shapes of its inputs, {}, cannot be broadcast to each other",
                                     fmt::join(shapes, " and ")),
                         "was the model exported with a fixed length?");
            return std::nullopt;
        }
        shape = *wider;
    }
    return shape;
}

// `form` has the two operands as {0} and {1}; `on_sizes` is the same of open sizes.
bool import_binary(NodeContext &context, ElementType type, std::string_view form,
                   SizeOperation on_sizes = SizeOperation::none) {
    const auto shape = common_shape(context);
    if (!shape) {
        return false;
    }
    if (context.input(0).has_open_elements() || context.input(1).has_open_elements()) {
        if (auto numbers = computed_sizes(context, on_sizes, *shape)) {
            return context.output_known(type, *shape, *std::move(numbers));
        }
        context.depends_on_values();
    }
    return context.output(
        type, *shape,
        fmt::format(fmt::runtime(form), aligned(context.input(0), *shape), aligned(context.input(1), *shape)));
}

bool import_arithmetic(NodeContext &context, std::string_view form, SizeOperation on_sizes = SizeOperation::none) {
    return import_binary(context, context.input(0).type, form, on_sizes);
}

bool import_test(NodeContext &context, std::string_view form, SizeOperation on_sizes = SizeOperation::none) {
    return import_binary(context, ElementType::boolean, form, on_sizes);
}

// Any number of inputs, two by two.
bool import_fold(NodeContext &context, std::string_view form, std::string_view after = "{}") {
    const auto shape = common_shape(context);
    if (!shape) {
        return false;
    }
    std::string text =
        context.inputs() == 1 ? context.input(0).text : broadcast_to(context.input(0), *shape, context.open_sizes());
    for (std::size_t i = 1; i < context.inputs(); ++i) {
        text = fmt::format(fmt::runtime(form), text, aligned(context.input(i), *shape));
    }
    return context.output(context.input(0).type, *shape, fmt::format(fmt::runtime(after), text));
}

std::string map_text(std::string_view operand, std::string_view body) {
    return fmt::format("map({},f(x)({}))", operand, body);
}

// The nearest number that 16 bits hold, of two the even one. Adding and taking away what has the place of the last bit
// as its own rounds there.
bool cast_to_16_bits(NodeContext &context, const Value &value, ElementType to) {
    struct Format {
        int fraction;  // bits
        int least_exponent;
        double largest;
    };
    const Format format = to == ElementType::f16 ? Format{10, -14, 65504} : Format{7, -126, 0x1.FEp127};
    constexpr int bits_of_double = 52;
    const std::string number = value.rank() == 0 ? value.text : fmt::format("cell_cast({},double)", value.text);
    const auto guess = context.part(ElementType::f64, value.shape,
                                    map_text(number, "if(x==0||isNan(x)||fabs(x)==1/0,0,floor(log(fabs(x))/log(2)))"));
    const auto exponent =
        guess ? context.part(ElementType::f64, value.shape,
                             fmt::format("join({},{},f(x,e)(max({},e+if(fabs(x)>=ldexp(1,e+1),1,if(fabs(x)<ldexp(1,e),"
                                         "-1,0)))))",
                                         number, guess->text, number_text(format.least_exponent)))
              : std::nullopt;
    if (!exponent) {
        return false;
    }
    const std::string place = fmt::format("ldexp(1.5,e+{})", bits_of_double - format.fraction);
    const std::string rounded = fmt::format("join({},{},f(x,e)((x+{})-{}))", number, exponent->text, place, place);
    return context.output(to, value.shape,
                          map_text(rounded, fmt::format("if(x>{0},1/0,if(x<-{0},-1/0,x))", format.largest)));
}

bool cast_to(NodeContext &context, ElementType to) {
    const Value &value = context.input(0);
    if (value.has_open_elements()) {
        if (is_integer(to) && info(to).bytes >= 4) {
            Value sizes = value;
            sizes.type = to;
            return context.output_value(std::move(sizes));
        }
        context.depends_on_values();
    }
    const ElementKind from_kind = info(value.type).kind;
    const ElementKind to_kind = info(to).kind;
    if (to_kind == ElementKind::other) {
        return context.fail(fmt::format("a cast to {} is not supported", info(to).name));
    }
    if (to_kind == ElementKind::real && info(to).bytes == 2 && value.type != to) {
        return cast_to_16_bits(context, value, to);
    }
    if (to_kind == ElementKind::boolean) {
        return context.output(to, value.shape,
                              from_kind == ElementKind::boolean ? value.text : fmt::format("({}!=0)", value.text));
    }
    if (to_kind == ElementKind::real || from_kind == ElementKind::boolean) {
        return context.output(to, value.shape, value.text);  // define() casts the cells
    }
    const std::string number = value.rank() == 0 ? value.text : fmt::format("cell_cast({},double)", value.text);
    const std::string whole = from_kind == ElementKind::real ? "if(x<0,ceil(x),floor(x))" : "x";
    const bool fits = is_integer(value.type) && info(value.type).bytes < info(to).bytes && !is_unsigned(to);
    if (fits || info(to).bytes == 8) {
        return context.output(to, value.shape, from_kind == ElementKind::real ? map_text(number, whole) : value.text);
    }
    return context.output(to, value.shape, map_text(number, wrapped(to, whole)));
}

}  // namespace

bool import_map(NodeContext &context, std::string_view body) {
    const Value &x = context.input(0);
    return context.output(x.type, x.shape, map_text(x.text, body));
}

bool import_add(NodeContext &context) {
    return import_arithmetic(context, "({}+{})", SizeOperation::add);
}

bool import_sub(NodeContext &context) {
    return import_arithmetic(context, "({}-{})", SizeOperation::subtract);
}

bool import_mul(NodeContext &context) {
    return import_arithmetic(context, "({}*{})", SizeOperation::multiply);
}

bool import_div(NodeContext &context) {
    return import_arithmetic(
        context, is_integer(context.input(0).type) ? "join({},{},f(x,y)(if(x/y<0,ceil(x/y),floor(x/y))))" : "({}/{})",
        SizeOperation::divide);
}

// The rest has the sign of the divisor, or as in C that of the dividend.
bool import_mod(NodeContext &context) {
    if (context.integer("fmod", 0) != 0) {
        return import_arithmetic(context, "fmod({},{})");
    }
    return import_arithmetic(context, is_integer(context.input(0).type)
                                          ? "join({},{},f(x,y)(x-y*floor(x/y)))"
                                          : "join({},{},f(x,y)(fmod(x,y)+if(fmod(x,y)!=0&&(fmod(x,y)<0)!=(y<0),y,0)))");
}

bool import_pow(NodeContext &context) {
    if (is_integer(context.input(0).type)) {
        return import_arithmetic(context, "map(pow({},{}),f(x)(if(x<0,ceil(x),floor(x))))");
    }
    return import_arithmetic(context, "pow({},{})");
}

bool import_equal(NodeContext &context) {
    return import_test(context, "({}=={})", SizeOperation::equal);
}

bool import_greater(NodeContext &context) {
    return import_test(context, "({}>{})");
}

bool import_greater_or_equal(NodeContext &context) {
    return import_test(context, "({}>={})");
}

bool import_less(NodeContext &context) {
    return import_test(context, "({}<{})");
}

bool import_less_or_equal(NodeContext &context) {
    return import_test(context, "({}<={})");
}

bool import_and(NodeContext &context) {
    return import_test(context, "({}&&{})");
}

bool import_or(NodeContext &context) {
    return import_test(context, "({}||{})");
}

bool import_xor(NodeContext &context) {
    return import_test(context, "({}!={})");
}

bool import_not(NodeContext &context) {
    return context.output(ElementType::boolean, context.input(0).shape, fmt::format("(!{})", context.input(0).text));
}

bool import_is_nan(NodeContext &context) {
    return context.output(ElementType::boolean, context.input(0).shape,
                          fmt::format("isNan({})", context.input(0).text));
}

bool import_is_inf(NodeContext &context) {
    const bool positive = context.integer("detect_positive", 1) != 0;
    const bool negative = context.integer("detect_negative", 1) != 0;
    const std::string body = positive && negative ? "(x==1/0)||(x==-1/0)"
                             : positive           ? "x==1/0"
                             : negative           ? "x==-1/0"
                                                  : "0";
    return context.output(ElementType::boolean, context.input(0).shape, map_text(context.input(0).text, body));
}

bool import_identity(NodeContext &context) {
    return context.output_value(context.input(0));
}

// Of a model that is used, not trained: nothing is dropped.
bool import_dropout(NodeContext &context) {
    const Value &x = context.input(0);
    if (context.has_input(2)) {
        const auto training = context.known_integers(2);
        if (!training) {
            return false;
        }
        if (!training->empty() && training->front() != 0) {
            return context.fail("it is in training mode, in which results are random",
                                "export the model for inference");
        }
    }
    return context.output_value(x) &&
           (context.outputs() < 2 || context.output(ElementType::boolean, x.shape, map_text(x.text, "1")));
}

// NaN, wherever it stands, is the result.
bool import_max(NodeContext &context) {
    return import_fold(context, "join({},{},f(x,y)(if(isNan(y),y,max(x,y))))");
}

bool import_min(NodeContext &context) {
    return import_fold(context, "join({},{},f(x,y)(if(isNan(y),y,min(x,y))))");
}

bool import_sum(NodeContext &context) {
    return import_fold(context, "({}+{})");
}

bool import_mean(NodeContext &context) {
    return import_fold(context, "({}+{})", fmt::format("({{}}/{})", context.inputs()));
}

bool import_where(NodeContext &context) {
    const auto shape = common_shape(context);
    if (!shape) {
        return false;
    }
    const Value &yes = context.input(1);
    const Value &no = context.input(2);
    // What is not chosen does not matter, whatever it is: the branches are joined, not multiplied.
    std::string condition = aligned(context.input(0), *shape);
    if (info(yes.type).cell_type == CellType::f32 && context.input(0).rank() != 0) {
        condition = fmt::format("cell_cast({},float)", condition);  // doubles would make the choice one of doubles
    }
    const auto chosen = [&](const Value &branch, std::string_view choice) {
        return fmt::format("join({},{},f(x,c)({}))", aligned(branch, *shape), condition, choice);
    };
    // A branch that is one number, and gives the result no axis that the condition and the other branch lack.
    const auto is_number = [&](const Value &branch, const Value &other) {
        return branch.known && !branch.has_open_elements() && branch.elements() == 1 &&
               broadcast(context.input(0).shape, other.shape) == shape;
    };
    if (is_number(no, yes)) {
        return context.output(yes.type, *shape, chosen(yes, fmt::format("if(c,x,{})", number_text(no.known->front()))));
    }
    if (is_number(yes, no)) {
        return context.output(yes.type, *shape, chosen(no, fmt::format("if(c,{},x)", number_text(yes.known->front()))));
    }
    return context.output(yes.type, *shape, fmt::format("({}+{})", chosen(yes, "if(c,x,0)"), chosen(no, "if(c,0,x)")));
}

bool import_clip(NodeContext &context) {
    const Value &x = context.input(0);
    std::string text = x.text;
    const bool by_inputs = context.version() >= 11;
    const auto bound = [&](std::size_t i, std::string_view attribute) -> std::string {
        if (by_inputs) {
            return context.has_input(i) ? context.input(i).text : std::string();
        }
        const double value = context.real(attribute, NAN);
        return std::isnan(value) ? std::string() : number_text(value);
    };
    if (const std::string low = bound(1, "min"); !low.empty()) {
        text = fmt::format("max({},{})", text, low);
    }
    if (const std::string high = bound(2, "max"); !high.empty()) {
        text = fmt::format("min({},{})", text, high);
    }
    return text == x.text ? context.output_value(x) : context.output(x.type, x.shape, text);
}

bool import_cast(NodeContext &context) {
    const auto to = element_type_from_number(context.integer("to", 0));
    return to ? cast_to(context, *to) : context.fail("it casts to a type that does not exist");
}

bool import_cast_like(NodeContext &context) {
    return cast_to(context, context.input(1).type);
}

bool import_celu(NodeContext &context) {
    const std::string alpha = number_text(context.real("alpha", 1));
    return import_map(context, fmt::format("if(x<0,{0}*(exp(x/{0})-1),x)", alpha));
}

bool import_elu(NodeContext &context) {
    return import_map(context, fmt::format("if(x<0,{}*(exp(x)-1),x)", number_text(context.real("alpha", 1))));
}

bool import_selu(NodeContext &context) {
    constexpr double alpha = 1.67326319217681884765625;
    constexpr double gamma = 1.05070102214813232421875;
    return import_map(context, fmt::format("{}*if(x<0,{}*(exp(x)-1),x)", number_text(context.real("gamma", gamma)),
                                           number_text(context.real("alpha", alpha))));
}

bool import_hard_sigmoid(NodeContext &context) {
    return import_map(context, fmt::format("max(0,min(1,{}*x+{}))", number_text(context.real("alpha", 0.2)),
                                           number_text(context.real("beta", 0.5))));
}

bool import_leaky_relu(NodeContext &context) {
    return import_map(context, fmt::format("if(x<0,{}*x,x)", number_text(context.real("alpha", 0.01))));
}

bool import_prelu(NodeContext &context) {
    return import_arithmetic(context, "join({},{},f(x,y)(if(x<0,x*y,x)))");
}

bool import_shrink(NodeContext &context) {
    const std::string edge = number_text(context.real("lambd", 0.5));
    const std::string bias = number_text(context.real("bias", 0));
    return import_map(context, fmt::format("if(x<-{0},x+{1},if(x>{0},x-{1},0))", edge, bias));
}

bool import_thresholded_relu(NodeContext &context) {
    return import_map(context, fmt::format("if(x>{},x,0)", number_text(context.real("alpha", 1))));
}

}  // namespace tenrex::onnx
