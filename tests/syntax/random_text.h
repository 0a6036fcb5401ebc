// Random expressions as text, with all forms of the language. The same seed gives the same text.
#pragma once

#include <random>
#include <string>
#include <string_view>

namespace tenrex::syntax {

class RandomText {
public:
    explicit RandomText(std::uint32_t seed) : random_(seed) {}

    std::string expression(int depth = 5) {
        text_.clear();
        value(depth);
        return text_;
    }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

private:
    template <std::size_t N>
    std::string_view pick(const char *const (&choices)[N]) {
        return choices[below(N)];
    }
    void add(std::string_view part) { text_ += part; }
    void space() {
        static constexpr const char *spaces[] = {"", "", "", "", "", " ", "  ", "\n", "\t", " # note\n"};
        add(pick(spaces));
    }
    void between(std::string_view mark) {
        space();
        add(mark);
        space();
    }

    void value(int depth) {
        space();
        if (depth <= 0) {
            leaf();
            return;
        }
        switch (below(16)) {
            case 0:
            case 1:
            case 2:
            case 3:
                infix(depth);
                break;
            case 4:
                add(below(2) == 0 ? "-" : "!");
                value(depth - 1);
                break;
            case 5:
                add("(");
                value(depth - 1);
                add(")");
                break;
            case 6:
                value(depth - 1);
                add(" in [1,-2,\"x\" , 'y']");
                break;
            case 7:
            case 8:
                call(depth);
                break;
            case 9:
            case 10:
                tensor_call(depth);
                break;
            case 11:
                peek(depth);
                break;
            case 12:
                literal(depth);
                break;
            case 13:
                choice(depth);
                break;
            default:
                leaf();
                break;
        }
        space();
    }

    void infix(int depth) {
        static constexpr const char *operators[] = {
            "^", "*", "/", "%", "+", "-", "==", "!=", "~=", "<", "<=", ">", ">=", "&&", "||"};
        value(depth - 1);
        between(pick(operators));
        value(depth - 1);
    }

    void leaf() {
        static constexpr const char *leaves[] = {"a",
                                                 "b",
                                                 "x",
                                                 "in",
                                                 "max",
                                                 "f",

                                                 "true",
                                                 "1",
                                                 "2.5",
                                                 "0",
                                                 "1e-7",
                                                 "1e999",
                                                 "-3",
                                                 "0x1F",
                                                 "2.5f",
                                                 "017",
                                                 "\"x\"",
                                                 "'it\\'s'",
                                                 "\"\\x00\\n\"",
                                                 "attribute(a)",
                                                 "query( q )",
                                                 "$q",
                                                 "bm25(title).out",
                                                 "a.b",
                                                 "f(\"( x\", y)",
                                                 "123456789012345678901234567890",
                                                 "4.9e-324",
                                                 "- 7",
                                                 "clamp(1,a)"};
        add(pick(leaves));
    }

    void call(int depth) {
        static constexpr const char *one[] = {"cos", "sqrt", "isNan", "abs", "round", "relu"};
        static constexpr const char *two[] = {"pow", "atan2", "min", "max", "bit", "hamming", "clamp"};
        const bool single = below(2) == 0;
        add(single ? pick(one) : pick(two));
        between("(");
        value(depth - 1);
        if (!single) {
            between(",");
            value(depth - 1);
        }
        add(")");
    }

    void tensor_call(int depth) {
        static constexpr const char *forms[] = {"map(@,f(v)(@))",
                                                "join(@,@,f(v,w)(@))",
                                                "merge(@,@, f ( v , w ) (@))",
                                                "reduce(@,sum)",
                                                "reduce(@, avg ,x,y)",
                                                "rename(@,x,y)",
                                                "rename(@,(x,y),(y,x))",
                                                "concat(@,@,x)",
                                                "cell_cast(@,int8)",
                                                "cell_order(@,max)",
                                                "cell_order(@,min)",
                                                "map_subspaces(@,f(v)(@))",
                                                "filter_subspaces(@,f(v)(@))",
                                                "sum(@)",
                                                "median(@,x,y)",
                                                "max(@)",
                                                "min(@,x,y)",
                                                "matmul(@,@,x)",
                                                "xw_plus_b(@,@,@,x)",
                                                "softmax(@,x)",
                                                "argmax(@)",
                                                "expand(@,z)",
                                                "range<float>(x[3],y[2])",
                                                "diag(x[2])",
                                                "random(x[2])",
                                                "top(3,@)",
                                                "unpack_bits(@)",
                                                "unpack_bits(@,float,little)",
                                                "tokenInputIds(9,@,@)",
                                                "tensor<float>( x[2] , y[3] )(@)",
                                                "tensor(x[2])(@)"};
        fill(pick(forms), depth);
    }

    void peek(int depth) {
        static constexpr const char *forms[] = {"{x:1}",     "{x:a,y:\"b c\"}", "{x:(@)}",       "{ x : a }",
                                                "{key}",     "{\"a b\"}",       "[@]",           "{x:a+1}",
                                                "{x:a + 1}", "{x:max(a,1)}",    "{x:a-b,y:(@)}", "{x:\"a+1\"}",
                                                "{x:key.1}", "{(@)}",           "{x:a{y:b}}"};
        add("(");
        value(depth - 1);
        add(")");
        fill(pick(forms), depth);
    }

    void literal(int depth) {
        static constexpr const char *forms[] = {"tensor(x[2]):[@,@]",
                                                "tensor<float> ( x[3] ):[@]",
                                                "tensor(x{}):{a:@,\"b c\":@}",
                                                "tensor(x{}):{}",
                                                "tensor(k{},x[2]):{a:[@,@],b:[]}",
                                                "tensor(x{},y[2]):{{x:a,y:0}:@,{y:1,x:'b:c'}:@}",
                                                "tensor(x[2],y{}):[{a:@},{}]",
                                                "tensor(x[2],y[2]):[[@,@],[@]]",
                                                "tensor():{{}:@}",
                                                "tensor(x{},y{}):{a-b:{key.1:@}}"};
        fill(pick(forms), depth);
    }

    void choice(int depth) {
        static constexpr const char *forms[] = {"if(@,@,@)", "if(@,@,@,0.25)", "switch(@){case @: @, default: @}",
                                                "switch(@){case 1: @, case @: 2, default: @}"};
        fill(pick(forms), depth);
    }

    void fill(std::string_view form, int depth) {
        for (const char c : form) {
            if (c == '@') {
                value(depth - 1 - static_cast<int>(below(3)));
            } else {
                text_ += c;
            }
        }
    }

    std::mt19937 random_;
    std::string text_;
};

}  // namespace tenrex::syntax
