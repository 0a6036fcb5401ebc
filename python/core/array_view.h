// Arrays that are read where they are, and keep their memory meanwhile.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "python/core/python.h"

namespace tenrex::python {

// numpy.ndarray itself: subclasses, such as masked arrays, may mean more than their memory says.
bool is_plain_array(PyObject *object) noexcept;
// Whether it is a real number of numpy: what an element of an array is.
bool is_array_number(PyObject *object) noexcept;
// Learns what arrays look like, when the module is loaded.
void find_arrays();

// The memory of an array, or of any other object with a buffer. Needs the GIL, as BufferView does.
//
// Asking numpy for a buffer costs a good part of what calling a query costs. So arrays of numpy whose dtype is one of
// those that cells have are read without one.
class ArrayView {
public:
    // Borrows it; false if its memory cannot be described by strides, or is not writable and should be, without an
    // exception.
    bool borrow(PyObject *object, bool writable = false);
    // Looks at an array of numpy whose dtype is one of those: what is seen holds until other code of Python may run.
    // Whoever lets it run calls hold() first. False if it is none.
    bool look(PyObject *object, bool writable = false) noexcept;
    // Nobody frees or resizes what was looked at from here on. Throws if somebody did before.
    void hold();
    void release() noexcept;

    // The format of an element, as the module `struct` names it; 0 if it needs more than one letter.
    char format() const noexcept { return format_; }
    char *data() const noexcept { return data_; }
    // The sizes of the axes and the bytes from one place of an axis to the next. They hold until the array is given
    // another shape, which other code may do while this lives.
    std::span<const py::ssize_t> shape() const noexcept { return shape_; }
    std::span<const py::ssize_t> strides() const noexcept { return strides_; }

    // Whether the cells of the axes from that one on lie one after the other.
    bool is_packed(py::ssize_t cell_bytes, std::size_t first_axis = 0) const noexcept;

    // From the lowest to behind the highest byte, as they were when it was borrowed: strides may be negative.
    bool overlaps(const void *begin, const void *end) const noexcept { return low_ < end && begin < high_; }

private:
    void set_reach(py::ssize_t cell_bytes) noexcept;

    py::object array_;
    py::object hold_;  // a weak reference: numpy resizes no array that has one, not even with refcheck=False
    std::unique_ptr<BufferView> buffer_;  // seldom needed, and large
    char format_ = 0;
    py::ssize_t cell_bytes_ = 0;
    char *data_ = nullptr;
    const char *low_ = nullptr;
    const char *high_ = nullptr;
    std::span<const py::ssize_t> shape_;
    std::span<const py::ssize_t> strides_;
};

// Whether numpy makes new arrays without code of Python, as it does in all versions so far.
bool makes_arrays_alone() noexcept;
// A new array of doubles, and where they are.
py::object empty_doubles(std::size_t count, double *&data);

}  // namespace tenrex::python
