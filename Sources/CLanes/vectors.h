// What the loops share: vectors, and how wide each loop is compiled.
#pragma once

#include "include/lanes.h"

// Of the processors with AVX-512 those that do not run slower for it: Ice Lake, Zen 4 and later.
#define WIDE "avx512vbmi2"
#define MIDDLE "avx2"

#if defined(WIDEST)
// Whoever includes this file has said what it is to be.
#elif defined(__x86_64__) && defined(__ELF__)
#define WIDEST __attribute__((target_clones(WIDE, MIDDLE, "default")))
#define CLONED
#else
#define WIDEST
#endif

// Where what is best for many registers is not for few, there are two functions, and who calls them
// asks which: sixteen lanes at once want as many as there are with AVX-512 alone.
#if defined(CLONED)
#define ONLY_WIDE __attribute__((target(WIDE)))
#define NARROWER __attribute__((target_clones(MIDDLE, "default")))
#define IS_WIDE (lanes_width() == 512)
#else
#define ONLY_WIDE
#define NARROWER
#ifndef IS_WIDE
#define IS_WIDE 0
#endif
#endif

// A product fused with a sum rounds once instead of twice: other bits on other processors.
#pragma STDC FP_CONTRACT OFF

typedef float Sixteen __attribute__((vector_size(64), aligned(4)));
typedef float Eight __attribute__((vector_size(32), aligned(4)));
typedef int SixteenBits __attribute__((vector_size(64)));
typedef int EightBits __attribute__((vector_size(32)));
typedef int LooseBits __attribute__((vector_size(64), aligned(2), may_alias));
typedef double SixteenDoubles __attribute__((vector_size(128)));
typedef double EightDoubles __attribute__((vector_size(64)));
typedef double FourDoubles __attribute__((vector_size(32)));
typedef unsigned EightCounts __attribute__((vector_size(32)));
typedef unsigned SixteenCounts __attribute__((vector_size(64)));
typedef uint32_t Mono __attribute__((aligned(4), may_alias));
typedef uint64_t Stereo __attribute__((aligned(4), may_alias));
typedef short SixteenShorts __attribute__((vector_size(32), aligned(2)));

#define SHUFFLE __builtin_shufflevector
#define INLINE static inline __attribute__((always_inline))

INLINE void load(Eight *value, const float *place) { *value = *(const Eight *)place; }
INLINE void store(float *place, const Eight *value) { *(Eight *)place = *value; }
INLINE void load_wide(Sixteen *value, const float *place) { *value = *(const Sixteen *)place; }
INLINE void store_wide(float *place, const Sixteen *value) { *(Sixteen *)place = *value; }

INLINE float folded(const Eight *value) {
    const Eight v = *value;
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

// Added to a number of up to 22 bits, it leaves the nearest whole one in the low bits.
#define WHOLE 12582912.0f
#define WHOLE_BITS 0x4b400000

/// A row of channels, or of bands.
typedef struct {
    Sixteen low;
    Eight high;
} Row;

INLINE void load_row(Row *row, const float *place) {
    load_wide(&row->low, place);
    load(&row->high, place + 16);
}

INLINE void store_row(float *place, const Row *row) {
    store_wide(place, &row->low);
    store(place + 16, &row->high);
}

/// A row as two vectors; the second has its upper lanes twice.
INLINE void load_halves(Sixteen *low, Sixteen *high, const float *place) {
    Row row;
    load_row(&row, place);
    *low = row.low;
    *high = SHUFFLE(
        row.high, row.high, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7);
}

/// Turns the blocks of four by four in which four vectors lie.
INLINE void turn_blocks(const Sixteen rows[4], Sixteen columns[4]) {
    Sixteen pairs[4];
    for (long pair = 0; pair < 2; pair++) {
        const Sixteen one = rows[2 * pair], other = rows[2 * pair + 1];
        pairs[pair] = SHUFFLE(
            one, other, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
        pairs[pair + 2] = SHUFFLE(
            one, other, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
    }
    for (long part = 0; part < 2; part++) {
        const Sixteen one = pairs[2 * part], other = pairs[2 * part + 1];
        columns[2 * part] = SHUFFLE(
            one, other, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
        columns[2 * part + 1] = SHUFFLE(
            one, other, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    }
}
