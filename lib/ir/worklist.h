// Parts of an expression to look at, each once.
#pragma once

#include <vector>

#include "lib/ir/builder.h"
#include "lib/sema/typed_ast.h"
#include "lib/support/id_map.h"

namespace tenrex::ir {

//   Worklist work(root);
//   while (const sema::Expr *expr = work.next()) { ...; work.add_operands(*expr); }
class Worklist {
public:
    explicit Worklist(const sema::Expr &root) {
        pending_.reserve(few);
        add(root);
    }

    void add(const sema::Expr &expr) { pending_.push_back(&expr); }
    void add_operands(const sema::Expr &expr) { ir::add_operands(expr, pending_); }

    // The last one that was added and was not looked at; null if there is none.
    const sema::Expr *next() {
        while (!pending_.empty()) {
            const sema::Expr *const expr = pending_.back();
            pending_.pop_back();
            if (!seen_.find(expr->id)) {
                seen_.add(expr->id, 0);
                return expr;
            }
        }
        return nullptr;
    }

private:
    static constexpr std::size_t few = 32;

    std::vector<const sema::Expr *> pending_;
    IdMap seen_;
};

}  // namespace tenrex::ir
