#include "vectors.h"

INLINE void load_number(Sixteen *re, Sixteen *im, const float *numbers, long place) {
    load_wide(re, numbers + place * 2 * LANES_TRANSFORMS);
    load_wide(im, numbers + place * 2 * LANES_TRANSFORMS + LANES_TRANSFORMS);
}

WIDEST void lanes_twin_powers(
    const float *numbers, const int32_t *places, long count, float scale, float *powers) {
    const float share = scale / 4;
    for (long bin = 0; bin < count / 2; bin++, powers += 2 * LANES_TRANSFORMS) {
        Sixteen re, im, mirrorRe, mirrorIm;
        load_number(&re, &im, numbers, places[bin]);
        load_number(&mirrorRe, &mirrorIm, numbers, places[count - bin]);
        const Sixteen ownRe = re + mirrorRe, ownIm = im - mirrorIm;
        const Sixteen otherRe = re - mirrorRe, otherIm = im + mirrorIm;
        const Sixteen own = (ownRe * ownRe + ownIm * ownIm) * share;
        const Sixteen other = (otherRe * otherRe + otherIm * otherIm) * share;
        store_wide(powers, &own);
        store_wide(powers + LANES_TRANSFORMS, &other);
    }
}

WIDEST void lanes_joint_powers(
    const float *squares, const int32_t *places, long count, float scale, int adds,
    float *powers) {
    const float share = scale / 2;
    for (long bin = 0; bin < count / 2; bin++, powers += LANES_TRANSFORMS) {
        Sixteen square, mirror, before = {0};
        load_wide(&square, squares + places[bin] * 2 * LANES_TRANSFORMS);
        load_wide(&mirror, squares + places[count - bin] * 2 * LANES_TRANSFORMS);
        if (adds) load_wide(&before, powers);
        const Sixteen power = before + (square + mirror) * share;
        store_wide(powers, &power);
    }
}

WIDEST void lanes_sum_rows(
    const float *rows, long width, const LanesRows *sets, long setCount, float *sums) {
    for (long set = 0; set < setCount; set++) {
        for (long lane = 0; lane < width; lane += 16) {
            const float *row = rows + sets[set].first * width + lane;
            Sixteen even = {0}, odd = {0}, values;
            long own = 0;
            for (; own + 2 <= sets[set].count; own += 2, row += 2 * width) {
                load_wide(&values, row);
                even += values;
                load_wide(&values, row + width);
                odd += values;
            }
            if (own < sets[set].count) {
                load_wide(&values, row);
                even += values;
            }
            even += odd;
            store_wide(sums + set * width + lane, &even);
        }
    }
}

/// Lags at once, so that a root is fetched once for all of them: as many as their sums leave
/// registers for.
#define MOST_LAGS 4
#define NARROWER_LAGS 2

/// The sums of the odd bins, of which the first is one, and of the even ones at each of some lags.
INLINE void correlate(
    const float *roots, long binCount, const float *cosines, long lagCount, Sixteen *odd,
    Sixteen *even) {
    for (long lag = 0; lag < lagCount; lag++) odd[lag] = even[lag] = (Sixteen){0};
    for (long bin = 0; bin < binCount; bin += 2) {
        Sixteen one, other;
        load_wide(&one, roots + 16 * bin);
        load_wide(&other, roots + 16 * bin + 16);
        for (long lag = 0; lag < lagCount; lag++) {
            odd[lag] += one * cosines[lag * binCount + bin];
            even[lag] += other * cosines[lag * binCount + bin + 1];
        }
    }
}

/// The roots of the powers of some bins, and their sum; behind an odd number of them zeros.
INLINE void take_roots(
    const float *powers, long width, long binCount, float *roots, Sixteen *sum) {
    Sixteen root = {0};
    *sum = root;
    if (binCount % 2) store_wide(roots + 16 * binCount, &root);
    for (long bin = 0; bin < binCount; bin++) {
        load_wide(&root, powers + bin * width);
        root = __builtin_elementwise_sqrt(root);
        store_wide(roots + 16 * bin, &root);
        *sum += root;
    }
}

/// A share of the whole, or zero where that is nothing.
INLINE void divide(Sixteen *part, const Sixteen *whole) {
    const SixteenBits isAny = *whole > 0;
    const SixteenBits one = (SixteenBits)((Sixteen){0} + 1);
    const Sixteen divisor = (Sixteen)(((SixteenBits)*whole & isAny) | (one & ~isAny));
    *part = (Sixteen)((SixteenBits)(*part / divisor) & isAny);
}

INLINE void find_periodicities(
    const float *powers, long width, const LanesLags *lags, long lagCount, float *periodicities) {
    const long binCount = lags->binCount + lags->binCount % 2;
    for (long lane = 0; lane < width; lane += 16) {
        float roots[16 * (LANES_MOST_BINS + 1)];
        Sixteen whole;
        take_roots(
            powers + lags->firstBin * width + lane, width, lags->binCount, roots, &whole);
        Sixteen highest = -whole;
        for (long lag = lags->first; lag < lags->end; lag += lagCount) {
            Sixteen odd[MOST_LAGS], even[MOST_LAGS];
            correlate(
                roots, binCount, lags->cosines + (lag - lags->first) * binCount, lagCount, odd,
                even);
            for (long own = 0; own < lagCount; own++) {
                // Of a lag and its counterpart the odd bins differ in their sign.
                const long here = lag + own, mirror = LANES_HALF_LAGS - here;
                if (here >= lags->lowest && here <= lags->highest) {
                    highest = __builtin_elementwise_max(even[own] + odd[own], highest);
                }
                if (mirror >= lags->lowest && mirror <= lags->highest) {
                    highest = __builtin_elementwise_max(even[own] - odd[own], highest);
                }
            }
        }
        divide(&highest, &whole);
        store_wide(periodicities + lane, &highest);
    }
}

ONLY_WIDE static void periodicities_wide(
    const float *powers, long width, const LanesLags *lags, float *periodicities) {
    find_periodicities(powers, width, lags, MOST_LAGS, periodicities);
}

NARROWER static void periodicities_narrower(
    const float *powers, long width, const LanesLags *lags, float *periodicities) {
    find_periodicities(powers, width, lags, NARROWER_LAGS, periodicities);
}

void lanes_periodicities(
    const float *powers, long width, const LanesLags *lags, float *periodicities) {
    if (IS_WIDE) {
        periodicities_wide(powers, width, lags, periodicities);
    } else {
        periodicities_narrower(powers, width, lags, periodicities);
    }
}
