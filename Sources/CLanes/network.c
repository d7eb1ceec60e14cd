#include <string.h>

#include "vectors.h"

// Elsewhere, and where it is to be tried, all is said in the compiler's own vectors.
#if defined(__x86_64__) && !defined(PORTABLE)
#define BY_FOUR
#include <immintrin.h>
#endif

typedef short Shorts __attribute__((vector_size(64), aligned(2), may_alias));
typedef short HalfShorts __attribute__((vector_size(32), aligned(2), may_alias));

// Bits that are lost on the way from sums to rows.
#define DENSE_SHIFT (LANES_INPUT_BITS + LANES_FRONT_BITS - LANES_ROW_BITS)
#define ALONG_SHIFT (LANES_ROW_BITS + LANES_TAP_BITS - LANES_MIX_BITS)
#define ACROSS_SHIFT (LANES_MIX_BITS + LANES_ACROSS_BITS - LANES_ROW_BITS)

/// Sums of products for each channel.
typedef struct {
    SixteenBits lower;
    EightBits upper;
} Sums;

INLINE void load_sums(Sums *sums, const int32_t *offsets) {
    memcpy(&sums->lower, offsets, sizeof sums->lower);
    memcpy(&sums->upper, offsets + 16, sizeof sums->upper);
}

/// The numbers of two rows in pairs, in the order of sums.
INLINE void interleave(
    const int16_t *first, const int16_t *second, Shorts *lower, HalfShorts *upper) {
    const Shorts one = *(const Shorts *)first, other = *(const Shorts *)second;
    *lower = SHUFFLE(
        one, other, 0, 32, 1, 33, 2, 34, 3, 35, 8, 40, 9, 41, 10, 42, 11, 43, 16, 48, 17, 49, 18,
        50, 19, 51, 24, 56, 25, 57, 26, 58, 27, 59);
    *upper = SHUFFLE(one, other, 4, 36, 5, 37, 6, 38, 7, 39, 12, 44, 13, 45, 14, 46, 15, 47);
}

// What is asked of each way of summing: to add products in pairs to eight sums and to sixteen, and
// to bring sums to a row, where numbers that are too large become the largest there are.

/// The halves of sixteen sums one after the other.
#define ADD_BY_HALVES(add_eight) \
    for (long half = 0; half < 2; half++) { \
        EightBits own; \
        memcpy(&own, (const int32_t *)sums + 8 * half, sizeof own); \
        add_eight(&own, (const HalfShorts *)one + half, (const HalfShorts *)other + half); \
        memcpy((int32_t *)sums + 8 * half, &own, sizeof own); \
    }

/// The halves of a row one after the other, each four of one sum beside four of the other.
#define PACK_BY_HALVES(pack_eights) \
    for (long half = 0; half < 2; half++) { \
        EightBits lower, upper = half == 0 ? sums->upper : (EightBits){0}; \
        memcpy(&lower, (const int32_t *)&sums->lower + 8 * half, sizeof lower); \
        lower >>= shift; \
        upper >>= shift; \
        pack_eights((HalfShorts *)row + half, &lower, &upper); \
    }

// MARK: - Any processor

#if defined(BY_FOUR)
INLINE void by_four_add_eight(EightBits *sums, const HalfShorts *one, const HalfShorts *other) {
    const __m128i *ones = (const __m128i *)one, *others = (const __m128i *)other;
    __m128i *all = (__m128i *)sums;
    for (long half = 0; half < 2; half++) {
        const __m128i products =
            _mm_madd_epi16(_mm_loadu_si128(ones + half), _mm_loadu_si128(others + half));
        all[half] = _mm_add_epi32(all[half], products);
    }
}

INLINE void by_four_pack_eights(
    HalfShorts *row, const EightBits *lower, const EightBits *upper) {
    const __m128i *ones = (const __m128i *)lower, *others = (const __m128i *)upper;
    for (long half = 0; half < 2; half++) {
        const __m128i four = _mm_packs_epi32(ones[half], others[half]);
        memcpy((__m128i *)row + half, &four, sizeof four);
    }
}
#else
INLINE void by_four_add_eight(EightBits *sums, const HalfShorts *one, const HalfShorts *other) {
    const EightBits ones = (EightBits)*one, others = (EightBits)*other;
    const EightBits first = (EightBits)((EightCounts)ones << 16) >> 16;
    const EightBits second = (EightBits)((EightCounts)others << 16) >> 16;
    *sums += first * second + (ones >> 16) * (others >> 16);
}

INLINE void by_four_pack_eights(
    HalfShorts *row, const EightBits *lower, const EightBits *upper) {
    const SixteenBits both = SHUFFLE(
        *lower, *upper, 0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15);
    const SixteenBits most = (SixteenBits){0} + INT16_MAX, least = (SixteenBits){0} + INT16_MIN;
    const SixteenBits within =
        __builtin_elementwise_max(__builtin_elementwise_min(both, most), least);
    *row = (HalfShorts)__builtin_convertvector(within, SixteenShorts);
}
#endif

INLINE void by_four_add_sixteen(SixteenBits *sums, const Shorts *one, const Shorts *other) {
    ADD_BY_HALVES(by_four_add_eight)
}

INLINE void by_four_pack(Shorts *row, const Sums *sums, int shift) {
    PACK_BY_HALVES(by_four_pack_eights)
}

#define NAMED(name) by_four_##name
#define OWN
#if defined(BY_FOUR)
#define AT_ONCE 1
#else
#define AT_ONCE 4
#endif
#include "layers.h"

// MARK: - AVX2

#if defined(CLONED)
#define OWN __attribute__((target(MIDDLE)))

OWN INLINE void by_eight_add_eight(
    EightBits *sums, const HalfShorts *one, const HalfShorts *other) {
    *sums += (EightBits)_mm256_madd_epi16((__m256i)*one, (__m256i)*other);
}

OWN INLINE void by_eight_add_sixteen(SixteenBits *sums, const Shorts *one, const Shorts *other) {
    ADD_BY_HALVES(by_eight_add_eight)
}

OWN INLINE void by_eight_pack_eights(
    HalfShorts *row, const EightBits *lower, const EightBits *upper) {
    *row = (HalfShorts)_mm256_packs_epi32((__m256i)*lower, (__m256i)*upper);
}

OWN INLINE void by_eight_pack(Shorts *row, const Sums *sums, int shift) {
    PACK_BY_HALVES(by_eight_pack_eights)
}

#define NAMED(name) by_eight_##name
#define AT_ONCE 2
#include "layers.h"
#endif

// MARK: - AVX-512, which has products in pairs with their sums

#if defined(CLONED)
#define OWN __attribute__((target(WIDE ",avx512vl,avx512vnni")))

// Said in its own words, since the compiler takes these sums of products apart.
#define ADD_PRODUCTS(sums, one, other) \
    __asm__("vpdpwssd %2, %1, %0" : "+v"(sums) : "v"(one), "v"(other))

OWN INLINE void by_sixteen_add_eight(
    EightBits *sums, const HalfShorts *one, const HalfShorts *other) {
    ADD_PRODUCTS(*sums, *one, *other);
}

OWN INLINE void by_sixteen_add_sixteen(SixteenBits *sums, const Shorts *one, const Shorts *other) {
    ADD_PRODUCTS(*sums, *one, *other);
}

OWN INLINE void by_sixteen_pack(Shorts *row, const Sums *sums, int shift) {
    const __m512i upper = _mm512_zextsi256_si512((__m256i)(sums->upper >> shift));
    *row = (Shorts)_mm512_packs_epi32((__m512i)(sums->lower >> shift), upper);
}
#else
#define OWN
#define by_sixteen_add_eight by_four_add_eight
#define by_sixteen_add_sixteen by_four_add_sixteen
#define by_sixteen_pack by_four_pack
#endif

#define NAMED(name) by_sixteen_##name
#define AT_ONCE 8
#include "layers.h"

// MARK: - Whichever suits

#if defined(CLONED)
#define PICK(name) \
    (IS_WIDE && __builtin_cpu_supports("avx512vnni") ? by_sixteen_##name \
     : lanes_width() >= 256 ? by_eight_##name : by_four_##name)
#else
#define PICK(name) (IS_WIDE ? by_sixteen_##name : by_four_##name)
#endif

void lanes_dense_rows(
    const int16_t *inputs, long inputStride, long inputCount, const LanesLayer *layer,
    long rowCount, int16_t *outputs) {
    PICK(dense_rows)(inputs, inputStride, inputCount, layer, rowCount, outputs);
}

void lanes_separable_rows(
    const int16_t *rows, long dilation, const LanesLayer *along, const LanesLayer *across,
    long rowCount, int16_t *outputs) {
    PICK(separable_rows)(rows, dilation, along, across, rowCount, outputs);
}

WIDEST float lanes_row_dot(const int16_t *row, const float *weights) {
    Eight sums = {0};
    for (long lane = 0; lane < LANES_ROW; lane += 8) {
        Eight values;
        load(&values, weights + lane);
        for (long own = 0; own < 8; own++) values[own] *= row[lane + own];
        sums += values;
    }
    return folded(&sums);
}
