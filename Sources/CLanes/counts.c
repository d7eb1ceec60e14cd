#include <string.h>

#include "vectors.h"

WIDEST void lanes_find_steps(
    const float *values, long count, float lowest, float perUnit, long stepCount,
    uint16_t *steps) {
    const float last = (float)(stepCount - 1);
    for (long value = 0; value < count; value++) {
        const float place = (values[value] - lowest) * perUnit - 0.5f;
        const float inside = place > last ? last : place >= 0 ? place : 0;
        steps[value] = (uint16_t)((inside + WHOLE) - WHOLE);
    }
}

/// Counts, in each lane, the value that enters, and uncounts the one that leaves.
INLINE void recount(
    const uint16_t *come, const uint16_t *gone, long lanes, long stepCount, uint16_t *counts) {
    uint16_t *before = counts + lanes, *own = counts + 2 * lanes;
    for (long lane = 0; lane < lanes; lane++, own += stepCount) {
        int below = before[lane];
        if (come) {
            const uint16_t step = come[lane];
            own[step]++;
            below += step < counts[lane];
        }
        if (gone) {
            const uint16_t step = gone[lane];
            own[step]--;
            below -= step < counts[lane];
        }
        before[lane] = (uint16_t)below;
    }
}

/// Moves the place of each lane to the given rank, and writes the value there.
INLINE void find_rank(
    float rank, long lanes, long stepCount, float lowest, float unit, uint16_t *counts,
    float *found) {
    const int whole = (int)rank;
    uint16_t *befores = counts + lanes;
    const uint16_t *own = counts + 2 * lanes;
    int places[LANES_CHANNELS] = {0}, before[LANES_CHANNELS] = {0}, here[LANES_CHANNELS] = {0};
    for (long lane = 0; lane < lanes; lane++, own += stepCount) {
        int place = counts[lane], below = befores[lane];
        while (below > whole) below -= own[--place];
        while (below + own[place] <= whole) below += own[place++];
        counts[lane] = (uint16_t)(places[lane] = place);
        befores[lane] = (uint16_t)(before[lane] = below);
        here[lane] = own[place];
    }
    // Whole vectors; the unused lanes are undefined.
    float all[LANES_CHANNELS];
    for (long lane = 0; lane < LANES_CHANNELS; lane++) {
        const float within = (rank - (float)before[lane] + 0.5f) / (float)here[lane];
        all[lane] = ((float)places[lane] + (within < 1 ? within : 1)) * unit + lowest;
    }
    memcpy(found, all, sizeof(float) * (size_t)lanes);
}

WIDEST void lanes_slide(
    const LanesMove *moves, long moveCount, const uint16_t *steps, long stride, long lanes,
    long stepCount, float lowest, float unit, uint16_t *counts, float *found) {
    for (long move = 0; move < moveCount; move++) {
        const uint16_t *come = moves[move].come < 0 ? 0 : steps + moves[move].come * stride;
        const uint16_t *gone = moves[move].gone < 0 ? 0 : steps + moves[move].gone * stride;
        recount(come, gone, lanes, stepCount, counts);
        const float rank = moves[move].rank;
        if (rank >= 0) {
            find_rank(rank, lanes, stepCount, lowest, unit, counts, found + move * stride);
        }
    }
}

WIDEST void lanes_moving_means(
    const float *rows, long rowCount, long length, const float *shares, float *held, float *sum,
    float *means) {
    for (long row = 0; row < rowCount; row++) {
#pragma clang loop vectorize(assume_safety)
        for (long lane = 0; lane < LANES_CHANNELS; lane++) {
            const long place = row * LANES_CHANNELS + lane;
            const float come = ((rows[place] * 256 + WHOLE) - WHOLE) / 256;
            const float gone = held[place];
            held[place + length * LANES_CHANNELS] = come;
            sum[lane] = sum[lane] + come - gone;
            means[place] = sum[lane] * shares[row];
        }
    }
}
