#include <string>

#include <gtest/gtest.h>

#include <tenrex/formats.h>
#include <tenrex/plan.h>

namespace tenrex {
namespace {

// "cells of a block, blocks" of each document input; blocks are "all", "matching" or a number. "joined" stands behind
// them if labels must be found, but all blocks are read.
std::string reads(std::string_view expression, const CompileOptions &options = {}) {
    Schema schema;
    schema.query("i").query("q", "tensor<float>(x[8])").query("w", "tensor<float>(k{})");
    schema.document("d", "tensor<float>(x[32])").document("e", "tensor<float>(k{})");
    schema.document("m", "tensor<float>(k{},x[8])").document("t", "tensor<float>(i[16],x[8])").document("s");
    schema.document("p", "tensor<float>(k{},l{})");
    const Result<Plan> plan = compile(expression, schema, options);
    if (!plan) {
        return plan.error().message();
    }
    std::string text;
    const std::vector<DocumentRead> all = plan->document_reads();
    for (std::size_t i = 0; i < all.size(); ++i) {
        text += (i == 0 ? "" : "; ") + plan->document_inputs()[i].name + " " + std::to_string(all[i].cells) + ", ";
        text += all[i].matching ? "matching" : all[i].blocks == 0 ? "all" : std::to_string(all[i].blocks);
        text += all[i].joined && !all[i].matching ? " joined" : "";
    }
    return text;
}

TEST(DocumentReads, AllOfWhatIsComputedWith) {
    EXPECT_EQ(reads("sum(d)"), "d 32, all");
    EXPECT_EQ(reads("s*2"), "s 1, all");
    EXPECT_EQ(reads("sum(e)"), "e 1, all");
    EXPECT_EQ(reads("sum(e*m)"), "e 1, all; m 8, all") << "both come with the document";
    EXPECT_EQ(reads("q+i"), "");
}

TEST(DocumentReads, Ranges) {
    EXPECT_EQ(reads("sum(q*tensor<float>(x[8])(d{x:(x+4)}))"), "d 8, all");
    EXPECT_EQ(reads("sum(tensor<float>(j[4],x[8])(t{i:(j+2),x:(x)}))"), "t 32, all");
    EXPECT_EQ(reads("sum(q*tensor<float>(x[8])(d{x:(x+4)}))+sum(d)"), "d 32, all") << "of two readers the greater";
    CompileOptions plain;
    for (const std::string_view pass : optimization_names()) {
        plain.disabled_passes.emplace_back(pass);
    }
    EXPECT_EQ(reads("sum(q*tensor<float>(x[8])(d{x:(x+4)}))", plain), "d 8, all");
}

TEST(DocumentReads, SingleCells) {
    EXPECT_EQ(reads("d{x:3}"), "d 1, all");
    EXPECT_EQ(reads("d{x:(i)}"), "d 1, all");
    EXPECT_EQ(reads("sum(t{i:(i)})"), "t 8, all");
    EXPECT_EQ(reads("e{k:a}"), "e 1, 1");
    EXPECT_EQ(reads("sum(m{k:a})"), "m 8, 1");
}

TEST(DocumentReads, LabelsThatTheQueryHas) {
    EXPECT_EQ(reads("sum(e*w)"), "e 1, matching");
    EXPECT_EQ(reads("sum(m*w)"), "m 8, matching");
    EXPECT_EQ(reads("sum(e*w)+sum(e)"), "e 1, all joined");
    EXPECT_EQ(reads("sum(cell_order(e,max)*w)"), "e 1, all joined") << "the ranks are those of all cells";
    EXPECT_EQ(reads("sum(merge(e,w,f(a,b)(a+b)))"), "e 1, all joined");
    EXPECT_EQ(reads("sum(p*w)"), "p 1, all joined") << "the blocks of each label that is found";
    EXPECT_EQ(reads("sum(e)*sum(w)"), "e 1, all");
    EXPECT_EQ(reads("sum(e*w)+e{k:a}"), "e 1, matching");
}

}  // namespace
}  // namespace tenrex
