// What the sources of the test of the interface for C have in common.
#pragma once

#include <stddef.h>

void expect(int ok, const char *what, const char *file, int line);
#define EXPECT(condition) expect((condition) != 0, #condition, __FILE__, __LINE__)

// The error must contain the text; it is freed.
void expect_error(char *error, const char *text, const char *file, int line);
#define EXPECT_ERROR(error, text)                      \
    do {                                               \
        expect_error(error, text, __FILE__, __LINE__); \
        error = NULL;                                  \
    } while (0)

// A function for expressions; `user` has the two bounds.
double clamp(const double *arguments, size_t count, void *user);

// Columns of each kind, and outputs in memory of the caller.
void test_columns(void);
