// A program that uses the component text of the installed package.
#include <cstdio>

#include <tenrex/tokenizer.h>

int main() {
    const auto tokenizer = tenrex::Tokenizer::read_vocabulary("[UNK]\n[CLS]\n[SEP]\nun\n##able\n");
    if (!tokenizer) {
        std::fputs(tokenizer.error().render().c_str(), stdout);
        return 1;
    }
    const auto tokens = tokenizer->tokenize("Unable");
    const bool is_right = tokens && tokens->ids.size() == 4 && tokens->ids[2] == 4;
    std::puts(is_right ? "ok" : "wrong tokens");
    return is_right ? 0 : 1;
}
