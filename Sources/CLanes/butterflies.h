// Fourier transforms of some signals at once, each in a lane of its own; included by `transform.c`
// once for each width.
//
// Nothing crosses from lane to lane, so that what comes of a signal hangs neither on how wide the
// vectors are nor on what lies in the other lanes. A number is so many lanes of a real and of an
// imaginary part.

typedef struct {
    Lanes re, im;
} NAMED(Number);

#define Number NAMED(Number)

INLINE void NAMED(load)(Number *number, const float *place) {
    number->re = *(const Lanes *)place;
    number->im = *(const Lanes *)(place + LANES_TRANSFORMS);
}

INLINE void NAMED(store)(float *place, const Number *number) {
    *(Lanes *)place = number->re;
    *(Lanes *)(place + LANES_TRANSFORMS) = number->im;
}

INLINE void NAMED(add)(Number *sum, const Number *one, const Number *other) {
    sum->re = one->re + other->re;
    sum->im = one->im + other->im;
}

INLINE void NAMED(subtract)(Number *difference, const Number *one, const Number *other) {
    difference->re = one->re - other->re;
    difference->im = one->im - other->im;
}

/// Turns by a quarter back: times `-i`.
INLINE void NAMED(turn)(Number *number) {
    const Lanes re = number->re;
    number->re = number->im;
    number->im = -re;
}

/// The transform of two numbers, and of four, which come out in order.
INLINE void NAMED(two)(Number *one, Number *other) {
    const Number first = *one, second = *other;
    NAMED(add)(one, &first, &second);
    NAMED(subtract)(other, &first, &second);
}

INLINE void NAMED(four)(Number *zeroth, Number *first, Number *second, Number *third) {
    NAMED(two)(zeroth, second);
    NAMED(two)(first, third);
    NAMED(turn)(third);
    const Number even = *zeroth, odd = *second, half = *first, turned = *third;
    NAMED(add)(zeroth, &even, &half);
    NAMED(add)(first, &odd, &turned);
    NAMED(subtract)(second, &even, &half);
    NAMED(subtract)(third, &odd, &turned);
}

INLINE void NAMED(eight)(Number x[8]) {
    NAMED(four)(&x[0], &x[2], &x[4], &x[6]);
    NAMED(four)(&x[1], &x[3], &x[5], &x[7]);
    const Number first = x[3], third = x[7];
    const float root = 0.707106781f;
    x[3].re = (first.re + first.im) * root;
    x[3].im = (first.im - first.re) * root;
    NAMED(turn)(&x[5]);
    x[7].re = (third.im - third.re) * root;
    x[7].im = (third.re + third.im) * -root;
    const Number even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
    for (long k = 0; k < 4; k++) {
        NAMED(add)(&x[k], &even[k], &odd[k]);
        NAMED(subtract)(&x[k + 4], &even[k], &odd[k]);
    }
}

INLINE void NAMED(three)(Number x[3]) {
    const float sine = 0.866025404f;
    Number sum, difference, mean;
    NAMED(add)(&sum, &x[1], &x[2]);
    NAMED(subtract)(&difference, &x[1], &x[2]);
    NAMED(turn)(&difference);
    difference.re *= sine;
    difference.im *= sine;
    mean.re = x[0].re - sum.re * 0.5f;
    mean.im = x[0].im - sum.im * 0.5f;
    x[0].re += sum.re;
    x[0].im += sum.im;
    NAMED(add)(&x[1], &mean, &difference);
    NAMED(subtract)(&x[2], &mean, &difference);
}

INLINE void NAMED(five)(Number x[5]) {
    const float near = 0.309016994f, far = -0.809016994f, high = 0.951056516f, low = 0.587785252f;
    Number outer, inner, across, between, one, other, turned, crossed;
    NAMED(add)(&outer, &x[1], &x[4]);
    NAMED(subtract)(&across, &x[1], &x[4]);
    NAMED(add)(&inner, &x[2], &x[3]);
    NAMED(subtract)(&between, &x[2], &x[3]);
    one.re = x[0].re + (outer.re * near + inner.re * far);
    one.im = x[0].im + (outer.im * near + inner.im * far);
    other.re = x[0].re + (outer.re * far + inner.re * near);
    other.im = x[0].im + (outer.im * far + inner.im * near);
    turned.re = across.re * high + between.re * low;
    turned.im = across.im * high + between.im * low;
    crossed.re = across.re * low - between.re * high;
    crossed.im = across.im * low - between.im * high;
    NAMED(turn)(&turned);
    NAMED(turn)(&crossed);
    x[0].re += outer.re + inner.re;
    x[0].im += outer.im + inner.im;
    NAMED(add)(&x[1], &one, &turned);
    NAMED(add)(&x[2], &other, &crossed);
    NAMED(subtract)(&x[3], &other, &crossed);
    NAMED(subtract)(&x[4], &one, &turned);
}

INLINE void NAMED(butterfly)(Number *x, long radix) {
    switch (radix) {
    case 2: NAMED(two)(&x[0], &x[1]); break;
    case 3: NAMED(three)(x); break;
    case 4: NAMED(four)(&x[0], &x[1], &x[2], &x[3]); break;
    case 5: NAMED(five)(x); break;
    default: NAMED(eight)(x); break;
    }
}

/// A butterfly of numbers that are `stride` apart, and their twiddles: none in the last step, of
/// which all are one.
INLINE void NAMED(divide_one)(float *place, long stride, long radix, const float *twiddle) {
    Number x[8];
    for (long k = 0; k < radix; k++) NAMED(load)(&x[k], place + k * stride);
    NAMED(butterfly)(x, radix);
    NAMED(store)(place, &x[0]);
    for (long k = 1; k < radix; k++) {
        Number turned = x[k];
        if (twiddle) {
            const float re = twiddle[2 * k - 2], im = twiddle[2 * k - 1];
            turned.re = x[k].re * re - x[k].im * im;
            turned.im = x[k].re * im + x[k].im * re;
        }
        NAMED(store)(place + k * stride, &turned);
    }
}

/// Brings the transforms of `part` numbers to `radix` times as many of a `radix`th part, by
/// decimation in frequency, for all parts among `count` numbers.
///
/// Narrow vectors take all lanes of a place in turn: what is near then need not be fetched twice.
INLINE void NAMED(divide)(
    float *numbers, long count, long part, long radix, const float *twiddles) {
    const long size = 2 * LANES_TRANSFORMS, stride = part / radix * size;
    for (float *first = numbers; first < numbers + count * size; first += part * size) {
        const float *twiddle = twiddles;
        for (float *place = first; place < first + stride; place += size) {
            for (long half = 0; half < LANES_TRANSFORMS; half += LANE_COUNT) {
                NAMED(divide_one)(place + half, stride, radix, part != radix ? twiddle : 0);
            }
            twiddle += 2 * (radix - 1);
        }
    }
}

/// The last step for all among `count` numbers, of which only the squares of their magnitudes are
/// left, where their real parts were.
INLINE void NAMED(square)(float *numbers, long count, long radix) {
    const long size = 2 * LANES_TRANSFORMS;
    for (float *first = numbers; first < numbers + count * size; first += radix * size) {
        for (long half = 0; half < LANES_TRANSFORMS; half += LANE_COUNT) {
            Number x[8];
            float *place = first + half;
            for (long k = 0; k < radix; k++) NAMED(load)(&x[k], place + k * size);
            NAMED(butterfly)(x, radix);
            for (long k = 0; k < radix; k++) {
                *(Lanes *)(place + k * size) = x[k].re * x[k].re + x[k].im * x[k].im;
            }
        }
    }
}

INLINE void NAMED(last_step)(float *numbers, long count, long radix) {
    switch (radix) {
    case 2: NAMED(square)(numbers, count, 2); break;
    case 3: NAMED(square)(numbers, count, 3); break;
    case 4: NAMED(square)(numbers, count, 4); break;
    case 5: NAMED(square)(numbers, count, 5); break;
    default: NAMED(square)(numbers, count, 8); break;
    }
}

INLINE void NAMED(step)(float *numbers, long count, const LanesStep *step) {
    const long part = step->part;
    const float *twiddles = step->twiddles;
    switch (step->radix) {
    case 2: NAMED(divide)(numbers, count, part, 2, twiddles); break;
    case 3: NAMED(divide)(numbers, count, part, 3, twiddles); break;
    case 4: NAMED(divide)(numbers, count, part, 4, twiddles); break;
    case 5: NAMED(divide)(numbers, count, part, 5, twiddles); break;
    default: NAMED(divide)(numbers, count, part, 8, twiddles); break;
    }
}

/// The steps from one on, of which the last may leave squares.
INLINE void NAMED(steps)(
    float *numbers, long count, const LanesStep *steps, long first, long stepCount, int squares) {
    const long end = squares ? stepCount - 1 : stepCount;
    for (long step = first; step < end; step++) NAMED(step)(numbers, count, &steps[step]);
    if (squares) NAMED(last_step)(numbers, count, steps[end].radix);
}

/// After the first step part by part, so that what a step leaves is near when the next one comes.
INLINE void NAMED(transform)(
    float *numbers, long count, const LanesStep *steps, long stepCount, int squares) {
    if (stepCount == 1) {
        NAMED(steps)(numbers, count, steps, 0, stepCount, squares);
        return;
    }
    NAMED(step)(numbers, count, &steps[0]);
    const long part = count / steps[0].radix;
    for (long first = 0; first < count; first += part) {
        float *rest = numbers + first * 2 * LANES_TRANSFORMS;
        NAMED(steps)(rest, part, steps, 1, stepCount, squares);
    }
}

/// Lays as many samples of as many rows as there are lanes, from `place` on, across the lanes.
INLINE void NAMED(turn_rows)(
    const float *samples, const long *firsts, long place, Lanes columns[LANE_COUNT]) {
    Lanes rows[LANE_COUNT];
    for (long lane = 0; lane < LANE_COUNT; lane++) {
        rows[lane] = *(const Lanes *)(samples + firsts[lane] + place);
    }
    NAMED(transpose)(rows, columns);
}

/// As many whole vectors of samples as there are of signals that lie side by side; the number of
/// samples that are laid so.
INLINE long NAMED(lay_neighbours)(
    const float *samples, const long *firsts, const float *window, long count, float *numbers) {
    long place = 0;
    for (; place + LANE_COUNT / 2 <= count; place += LANE_COUNT / 2) {
        for (long half = 0; half < LANES_TRANSFORMS; half += LANE_COUNT) {
            Lanes columns[LANE_COUNT];
            NAMED(turn_rows)(samples, firsts + half, 2 * place, columns);
            for (long own = 0; own < LANE_COUNT / 2; own++) {
                const float weight = window[place + own];
                const Number number = {columns[2 * own] * weight, columns[2 * own + 1] * weight};
                NAMED(store)(numbers + (place + own) * 2 * LANES_TRANSFORMS + half, &number);
            }
        }
    }
    return place;
}

/// The same of signals each of which lies by itself.
INLINE long NAMED(lay_apart)(
    const float *samples, const long *firsts, const long *seconds, const float *window,
    long count, float *numbers) {
    long place = 0;
    for (; place + LANE_COUNT <= count; place += LANE_COUNT) {
        for (long half = 0; half < LANES_TRANSFORMS; half += LANE_COUNT) {
            Lanes one[LANE_COUNT], other[LANE_COUNT];
            NAMED(turn_rows)(samples, firsts + half, place, one);
            NAMED(turn_rows)(samples, seconds + half, place, other);
            for (long own = 0; own < LANE_COUNT; own++) {
                const float weight = window[place + own];
                const Number number = {one[own] * weight, other[own] * weight};
                NAMED(store)(numbers + (place + own) * 2 * LANES_TRANSFORMS + half, &number);
            }
        }
    }
    return place;
}

#undef Number
