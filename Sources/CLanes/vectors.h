// Shared by the loops: vector types, and the width each loop is compiled for.
#pragma once

#include "include/lanes.h"

// The AVX-512 processors that are not slowed down by it: Ice Lake, Zen 4 and later.
#define WIDE "avx512vbmi2"
#define MIDDLE "avx2"

#if defined(WIDEST)
// The including file has set the target.
#elif defined(__x86_64__) && defined(__ELF__)
#define WIDEST __attribute__((target_clones(WIDE, MIDDLE, "default")))
#else
#define WIDEST
#endif

// A fused multiply-add rounds once, not twice, so results would differ between processors.
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

/// The sum of `count` lanes, a power of two, by repeatedly adding the upper half to the lower.
INLINE float folded(float *lanes, long count) {
    for (long width = count / 2; width > 0; width /= 2) {
        for (long lane = 0; lane < width; lane++) lanes[lane] += lanes[lane + width];
    }
    return lanes[0];
}

// Adding this to a number of up to 22 bits leaves the nearest integer in the low bits.
#define WHOLE 12582912.0f
#define WHOLE_BITS 0x4b400000
