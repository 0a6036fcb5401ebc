#include "lib/program/sparse/filter_step.h"

#include <algorithm>
#include <cstring>

#include "lib/program/sparse/index_writer.h"

namespace tenrex::program {

void FilterStep::run(Frame &frame) const {
    const Index &index = frame.index(index_);
    const Blocks keep(frame, keep_);
    IndexWriter writer(frame, result_, width_, &frame.map(map_));
    for (std::size_t document = 0; document < frame.documents; ++document) {
        for (std::uint32_t block = index.begin(document); block < index.end(document); ++block) {
            double number;
            std::memcpy(&number, keep.at(document, block), sizeof(number));
            if (number != 0) {
                std::copy_n(index.labels + block * width_, width_, writer.add(block));
            }
        }
        writer.end_document();
    }
    frame.index(result_).sorted = index.sorted;
}

}  // namespace tenrex::program
