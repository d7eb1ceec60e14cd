#include "vectors.h"

// Added to a number of up to 22 bits, it leaves the nearest whole one in the low bits.
static const float WHOLE = 12582912;

WIDEST void lanes_find_steps(
    const float *values, long lanes, float lowest, float perUnit, long stepCount,
    uint16_t *steps) {
    const float last = (float)(stepCount - 1);
    for (long lane = 0; lane < lanes; lane++) {
        const float place = (values[lane] - lowest) * perUnit - 0.5f;
        const float inside = place > last ? last : place >= 0 ? place : 0;
        steps[lane] = (uint16_t)((inside + WHOLE) - WHOLE);
    }
}

WIDEST void lanes_count(
    const uint16_t *steps, long lanes, int change, long stepCount, uint16_t *counts) {
    const uint16_t *places = counts + lanes * stepCount;
    uint16_t *before = counts + lanes * (stepCount + 1);
    for (long lane = 0; lane < lanes; lane++) {
        before[lane] += steps[lane] < places[lane] ? change : 0;
    }
    for (long lane = 0; lane < lanes; lane++) counts[lane * stepCount + steps[lane]] += change;
}

WIDEST void lanes_find_rank(
    float rank, long lanes, long stepCount, uint16_t *counts, float *found) {
    uint16_t *places = counts + lanes * stepCount;
    const int whole = (int)rank;
    for (long lane = 0; lane < lanes; lane++) {
        const uint16_t *own = counts + lane * stepCount;
        int place = places[lane], before = places[lanes + lane];
        while (before > whole) before -= own[--place];
        while (before + own[place] <= whole) before += own[place++];
        places[lane] = (uint16_t)place;
        places[lanes + lane] = (uint16_t)before;
        const float within = (rank - (float)before + 0.5f) / (float)own[place];
        found[lane] = (float)place + (within < 1 ? within : 1);
    }
}
