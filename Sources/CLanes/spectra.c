#include "vectors.h"

INLINE void window_pairs(
    const float *first, const float *second, long stride, const float *window, long count,
    float *restrict pairs) {
    for (long place = 0; place < count; place++) {
        pairs[2 * place] = first[place * stride] * window[place];
        pairs[2 * place + 1] = second[place * stride] * window[place];
    }
}

// With a constant stride, the compiler vectorizes the loop.
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

WIDEST void lanes_turn_rows(
    const float *restrict rows, long stride, long count, float *restrict columns) {
    // In steps of four, which the compiler vectorizes.
    for (long place = 0; place < count; place += 4) {
        for (long row = 0; row < LANES_SPECTRA; row++) {
            for (long own = place; own < place + 4; own++) {
                columns[own * LANES_SPECTRA + row] = rows[row * stride + own];
            }
        }
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

/// Lags computed at once, so that each root is loaded once for all: as many as registers allow.
#define LAGS_AT_ONCE 2

/// Sums the odd bins (the first is odd) and the even bins separately, at each of several lags.
INLINE void correlate(
    const float *roots, long binCount, const float *cosines, Sixteen *odd, Sixteen *even) {
    for (long lag = 0; lag < LAGS_AT_ONCE; lag++) odd[lag] = even[lag] = (Sixteen){0};
    for (long bin = 0; bin < binCount; bin += 2) {
        Sixteen one, other;
        load_wide(&one, roots + 16 * bin);
        load_wide(&other, roots + 16 * bin + 16);
        for (long lag = 0; lag < LAGS_AT_ONCE; lag++) {
            odd[lag] += one * cosines[lag * binCount + bin];
            even[lag] += other * cosines[lag * binCount + bin + 1];
        }
    }
}

/// Computes the square roots of the powers and their sum; zero-pads an odd number of bins.
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

WIDEST void lanes_periodicities(
    const float *powers, const LanesLags *lags, float *periodicities) {
    const long binCount = lags->binCount + lags->binCount % 2;
    float roots[16 * (LANES_MOST_BINS + 1)];
    Sixteen whole;
    take_roots(powers + 16 * lags->firstBin, lags->binCount, roots, &whole);
    Sixteen highest = -whole;
    for (long lag = lags->first; lag < lags->end; lag += LAGS_AT_ONCE) {
        Sixteen odd[LAGS_AT_ONCE], even[LAGS_AT_ONCE];
        const float *cosines = lags->cosines + (lag - lags->first) * binCount;
        correlate(roots, binCount, cosines, odd, even);
        for (long own = 0; own < LAGS_AT_ONCE; own++) {
            // For a lag and its mirror, the odd bins differ only in sign.
            const long here = lag + own, mirror = LANES_HALF_LAGS - here;
            if (here >= lags->lowest && here <= lags->highest) {
                highest = __builtin_elementwise_max(even[own] + odd[own], highest);
            }
            if (mirror >= lags->lowest && mirror <= lags->highest) {
                highest = __builtin_elementwise_max(even[own] - odd[own], highest);
            }
        }
    }
    for (long lane = 0; lane < LANES_SPECTRA; lane++) {
        periodicities[lane] = whole[lane] > 0 ? highest[lane] / whole[lane] : 0;
    }
}
