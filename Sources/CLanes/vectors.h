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
#else
#define WIDEST
#endif

// A product fused with a sum rounds once instead of twice: other bits on other processors.
#pragma STDC FP_CONTRACT OFF

typedef float Sixteen __attribute__((vector_size(64), aligned(4)));
typedef int SixteenBits __attribute__((vector_size(64)));
typedef int EightBits __attribute__((vector_size(32)));
typedef short SixteenShorts __attribute__((vector_size(32)));
typedef int32_t ShortPair __attribute__((aligned(2), may_alias));
typedef uint32_t Mono __attribute__((aligned(4), may_alias));
typedef uint64_t Stereo __attribute__((aligned(4), may_alias));

#define SHUFFLE __builtin_shufflevector
#define INLINE static inline __attribute__((always_inline))

INLINE void load_wide(Sixteen *value, const float *place) { *value = *(const Sixteen *)place; }
INLINE void store_wide(float *place, const Sixteen *value) { *(Sixteen *)place = *value; }

INLINE int32_t bits_of(float number) {
    const union { float number; int32_t bits; } both = {.number = number};
    return both.bits;
}

INLINE float number_of(int32_t bits) {
    const union { int32_t bits; float number; } both = {.bits = bits};
    return both.number;
}

/// The sum of so many lanes, a power of two: the lower half and the upper half, and so on.
INLINE float folded(float *lanes, long count) {
    for (long width = count / 2; width > 0; width /= 2) {
        for (long lane = 0; lane < width; lane++) lanes[lane] += lanes[lane + width];
    }
    return lanes[0];
}

// Added to a number of up to 22 bits, it leaves the nearest whole one in the low bits.
#define WHOLE 12582912.0f
#define WHOLE_BITS 0x4b400000
