#include "vectors.h"

INLINE void window_pairs(
    const float *first, const float *second, long stride, const float *window, long count,
    float *restrict pairs) {
    for (long place = 0; place < count; place++) {
        pairs[2 * place] = first[place * stride] * window[place];
        pairs[2 * place + 1] = second[place * stride] * window[place];
    }
}

// Of a stride that it knows, the compiler makes a wide loop.
WIDEST void lanes_window_pairs(
    const float *first, const float *second, long stride, const float *window, long count,
    float *pairs) {
    if (stride == 1) {
        window_pairs(first, second, 1, window, count, pairs);
    } else if (stride == 2) {
        window_pairs(first, second, 2, window, count, pairs);
    } else {
        window_pairs(first, second, stride, window, count, pairs);
    }
}

WIDEST void lanes_twin_powers(
    const float *spectrum, long count, float scale, float *restrict first,
    float *restrict second) {
    const float *mirror = spectrum + 2 * count;
    const float share = scale / 4;
    for (long bin = 0; bin < count / 2; bin++) {
        const float re = spectrum[2 * bin], im = spectrum[2 * bin + 1];
        const float mirrorRe = mirror[-2 * bin], mirrorIm = mirror[1 - 2 * bin];
        const float firstRe = re + mirrorRe, firstIm = im - mirrorIm;
        const float secondRe = re - mirrorRe, secondIm = im + mirrorIm;
        first[bin] = (firstRe * firstRe + firstIm * firstIm) * share;
        second[bin] = (secondRe * secondRe + secondIm * secondIm) * share;
    }
}

WIDEST void lanes_add_joint_powers(
    const float *spectrum, long count, float scale, float *restrict powers) {
    const float *mirror = spectrum + 2 * count;
    const float share = scale / 2;
    for (long bin = 0; bin < count / 2; bin++) {
        const float re = spectrum[2 * bin], im = spectrum[2 * bin + 1];
        const float mirrorRe = mirror[-2 * bin], mirrorIm = mirror[1 - 2 * bin];
        powers[bin] += (re * re + im * im + (mirrorRe * mirrorRe + mirrorIm * mirrorIm)) * share;
    }
}

WIDEST void lanes_turn_rows(const float *rows, long stride, long count, float *columns) {
    for (long place = 0; place < count; place += 4) {
        Sixteen quarters[4], turned[4];
        for (long row = 0; row < 4; row++) {
            for (long lane = 0; lane < 16; lane++) {
                const float *own = rows + (lane / 4 * 4 + row) * stride;
                quarters[row][lane] = own[place + lane % 4];
            }
        }
        turn_blocks(quarters, turned);
        for (long row = 0; row < 4; row++) store_wide(columns + 16 * (place + row), &turned[row]);
    }
}

WIDEST void lanes_sum_rows(
    const float *rows, const LanesRows *sets, long setCount, float *sums) {
    for (long set = 0; set < setCount; set++) {
        const float *row = rows + 16 * sets[set].first;
        Sixteen even = {0}, odd = {0}, values;
        long own = 0;
        for (; own + 2 <= sets[set].count; own += 2, row += 32) {
            load_wide(&values, row);
            even += values;
            load_wide(&values, row + 16);
            odd += values;
        }
        if (own < sets[set].count) {
            load_wide(&values, row);
            even += values;
        }
        even += odd;
        store_wide(sums + 16 * set, &even);
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
    const float *powers, long binCount, float *roots, Sixteen *sum) {
    Sixteen root = {0};
    *sum = root;
    if (binCount % 2) store_wide(roots + 16 * binCount, &root);
    for (long bin = 0; bin < binCount; bin++) {
        load_wide(&root, powers + 16 * bin);
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
    const float *powers, const LanesLags *lags, long lagCount, float *periodicities) {
    const long binCount = lags->binCount + lags->binCount % 2;
    float roots[16 * (LANES_MOST_BINS + 1)];
    Sixteen whole;
    take_roots(powers + 16 * lags->firstBin, lags->binCount, roots, &whole);
    Sixteen highest = -whole;
    for (long lag = lags->first; lag < lags->end; lag += lagCount) {
        Sixteen odd[MOST_LAGS], even[MOST_LAGS];
        correlate(
            roots, binCount, lags->cosines + (lag - lags->first) * binCount, lagCount, odd, even);
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
    store_wide(periodicities, &highest);
}

ONLY_WIDE static void periodicities_wide(
    const float *powers, const LanesLags *lags, float *periodicities) {
    find_periodicities(powers, lags, MOST_LAGS, periodicities);
}

NARROWER static void periodicities_narrower(
    const float *powers, const LanesLags *lags, float *periodicities) {
    find_periodicities(powers, lags, NARROWER_LAGS, periodicities);
}

void lanes_periodicities(const float *powers, const LanesLags *lags, float *periodicities) {
    if (IS_WIDE) {
        periodicities_wide(powers, lags, periodicities);
    } else {
        periodicities_narrower(powers, lags, periodicities);
    }
}
