#include "vectors.h"

WIDEST void lanes_window_pairs(
    const float *first, const float *second, long stride, const float *window, float *outputs,
    long count) {
    long place = 0;
    if (stride == 1 || (stride == 2 && second == first + 1)) {
        for (; place + 8 <= count; place += 8) {
            Eight weights;
            load(&weights, window + place);
            Sixteen pairs;
            if (stride == 1) {
                Eight one, other;
                load(&one, first + place);
                load(&other, second + place);
                pairs = __builtin_shufflevector(
                    one, other, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
            } else {
                load_wide(&pairs, first + 2 * place);
            }
            pairs *= __builtin_shufflevector(
                weights, weights, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
            store_wide(outputs + 2 * place, &pairs);
        }
    }
    for (; place < count; place++) {
        outputs[2 * place] = first[place * stride] * window[place];
        outputs[2 * place + 1] = second[place * stride] * window[place];
    }
}

/// The sums of neighbours, in turn one of the first sixteen numbers and one of the second.
INLINE void paired_sums(const Sixteen *first, const Sixteen *second, Sixteen *sums) {
    const Sixteen one = __builtin_shufflevector(
        *first, *second, 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30);
    const Sixteen other = __builtin_shufflevector(
        *first, *second, 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31);
    *sums = one + other;
}

/// Of eight bins the power of each of the two signals, in pairs, times four.
INLINE void twin_powers(const Sixteen *values, const Sixteen *mirror, Sixteen *powers) {
    const Sixteen signs = {1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1};
    const Sixteen one = *values + *mirror * signs, other = *values - *mirror * signs;
    const Sixteen squares = one * one, others = other * other;
    paired_sums(&squares, &others, powers);
}

/// Of eight bins of each of two spectra the power of both signals together, in pairs, times two.
INLINE void joint_powers(
    const Sixteen *values, const Sixteen *mirror, const Sixteen *seconds,
    const Sixteen *secondMirror, Sixteen *powers) {
    const Sixteen squares = *values * *values + *mirror * *mirror;
    const Sixteen others = *seconds * *seconds + *secondMirror * *secondMirror;
    paired_sums(&squares, &others, powers);
}

/// Eight bins from `bin` on, and their mirror images among `count`; that of the first bin, it
/// itself, stands behind the last one.
INLINE void mirrored(
    const float *bins, long count, long bin, Sixteen *values, Sixteen *mirror) {
    Sixteen back;
    load_wide(values, bins + 2 * bin);
    load_wide(&back, bins + 2 * (count - bin - 7));
    *mirror = __builtin_shufflevector(
        back, back, 14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1);
}

/// The same of `own` bins, fewer than eight, with zeros behind them.
INLINE void mirrored_few(
    const float *bins, long count, long bin, long own, Sixteen *values, Sixteen *mirror) {
    for (long part = 0; part < 16; part++) (*values)[part] = (*mirror)[part] = 0;
    for (long part = 0; part < 2 * own; part++) {
        (*values)[part] = bins[2 * bin + part];
        (*mirror)[part] = bins[2 * (count - bin - part / 2) + part % 2];
    }
}

/// Writes to `powers`, or adds to them, what `twin_powers` makes of each bin of the first spectrum,
/// or, where there is a second one, `joint_powers` of both.
INLINE void write_powers(
    const float *first, const float *second, long count, float share, int adds, float *powers) {
    const long half = count / 2;
    Sixteen values, mirror, seconds, secondMirror, added;
    long bin = 0;
    for (; bin + 8 <= half; bin += 8) {
        mirrored(first, count, bin, &values, &mirror);
        if (second) {
            mirrored(second, count, bin, &seconds, &secondMirror);
            joint_powers(&values, &mirror, &seconds, &secondMirror, &added);
        } else {
            twin_powers(&values, &mirror, &added);
        }
        Sixteen sums = {0};
        if (adds) load_wide(&sums, powers + 2 * bin);
        sums += added * share;
        store_wide(powers + 2 * bin, &sums);
    }
    const long own = half - bin;
    if (own == 0) return;
    mirrored_few(first, count, bin, own, &values, &mirror);
    if (second) {
        mirrored_few(second, count, bin, own, &seconds, &secondMirror);
        joint_powers(&values, &mirror, &seconds, &secondMirror, &added);
    } else {
        twin_powers(&values, &mirror, &added);
    }
    added *= share;
    for (long part = 0; part < 2 * own; part++) {
        powers[2 * bin + part] = (adds ? powers[2 * bin + part] : 0) + added[part];
    }
}

WIDEST void lanes_twin_powers(const float *bins, long count, float scale, float *powers) {
    write_powers(bins, 0, count, scale / 4, 0, powers);
}

WIDEST void lanes_joint_powers(
    const float *first, const float *second, long count, float scale, int adds, float *powers) {
    if (adds) {
        write_powers(first, second, count, scale / 2, 1, powers);
    } else {
        write_powers(first, second, count, scale / 2, 0, powers);
    }
}

WIDEST void lanes_mirror_roots(
    const float *powers, long first, long end, long count, float *roots) {
    long bin = first;
    for (; bin + 8 <= end; bin += 8) {
        Sixteen values;
        load_wide(&values, powers + 2 * bin);
        values = __builtin_elementwise_sqrt(values);
        store_wide(roots + 2 * bin, &values);
        values = __builtin_shufflevector(
            values, values, 14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1);
        store_wide(roots + 2 * (count - bin - 7), &values);
    }
    for (; bin < end; bin++) {
        for (long part = 0; part < 2; part++) {
            const float root = __builtin_sqrtf(powers[2 * bin + part]);
            roots[2 * bin + part] = root;
            roots[2 * (count - bin) + part] = root;
        }
    }
}

INLINE void sum_pairs(const float *pairs, long count, float *sum) {
    Eight sums = {0};
    long place = 0;
    for (; place + 4 <= count; place += 4) {
        Eight values;
        load(&values, pairs + 2 * place);
        sums += values;
    }
    float one = (sums[0] + sums[4]) + (sums[2] + sums[6]);
    float other = (sums[1] + sums[5]) + (sums[3] + sums[7]);
    for (; place < count; place++) {
        one += pairs[2 * place];
        other += pairs[2 * place + 1];
    }
    sum[0] = one;
    sum[1] = other;
}

WIDEST void lanes_sum_bands(
    const float *pairs, const LanesBand *bands, long bandCount, float *sums) {
    for (long band = 0; band < bandCount; band++) {
        sum_pairs(pairs + 2 * bands[band].first, bands[band].count, sums + 2 * band);
    }
}
