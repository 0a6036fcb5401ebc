// Which matches belong to which address of a result.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/program/sparse/index_writer.h"
#include "lib/program/sparse/matches.h"

namespace tenrex::program {

// The address of a result consists of some labels of a match.
class MatchGroups {
public:
    // A label of the result: of the outer or the inner address.
    struct Source {
        bool inner = false;
        std::uint16_t position = 0;
    };
    // The addresses of results that all come from `inner`, and for each block of it the one that it belongs to; both
    // shared by the documents.
    struct OfInner {
        IndexSlot index;
        MapSlot groups;
    };
    // whole_outer: the labels are the outer address, and matches of one outer block follow each other.
    MatchGroups(std::vector<Source> labels, bool whole_outer, OfInner of_inner);

    std::size_t width() const noexcept { return labels_.size(); }
    // Adds the addresses of a document, which has matches [begin, end), to the result, in the order of their first
    // matches, and gives for each match the number of its address within the document.
    const std::uint32_t *add(Frame &frame, const Matcher &matcher, const Matches &matches, std::size_t begin,
                             std::size_t end, IndexWriter &writer) const;

private:
    void add_of_inner(Frame &frame, const std::uint32_t *inner_blocks, std::size_t count, IndexWriter &writer,
                      std::uint32_t *groups) const;
    void add_outer(const Index &outer, const std::uint32_t *outer_blocks, std::size_t count, IndexWriter &writer,
                   std::uint32_t *groups) const;
    void add_any(Frame &frame, const Matcher &matcher, const Matches &matches, std::size_t begin, std::size_t end,
                 IndexWriter &writer, std::uint32_t *groups) const;

    std::vector<Source> labels_;
    std::vector<std::uint16_t> own_;  // the positions of the labels in the result
    OfInner of_inner_;
    bool whole_outer_;
};

}  // namespace tenrex::program
