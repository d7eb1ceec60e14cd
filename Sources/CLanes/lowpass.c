#include "vectors.h"

#define PARTS (LANES_GROUP / 16)

WIDEST void lanes_low_pass(
    const float *samples, const LanesLowPass *filter, long channels, float *outputs, long count) {
    // A group at a time, so that each tap is loaded once per group.
    for (long place = 0; place < count; place += LANES_GROUP) {
        Sixteen sums[PARTS], one, other;
        for (long part = 0; part < PARTS; part++) {
            load_wide(&one, samples + place + filter->centre + 16 * part);
            sums[part] = one * filter->centreWeight;
        }
        const float *weights = filter->weights;
        for (long arm = 0; arm < filter->armCount; arm++, weights += filter->tapCount) {
            const float *before = samples + place + filter->arms[arm].before;
            const float *after = samples + place + filter->arms[arm].after;
            for (long tap = 0; tap < filter->tapCount; tap++) {
                for (long part = 0; part < PARTS; part++) {
                    load_wide(&one, before - tap * channels + 16 * part);
                    load_wide(&other, after + tap * channels + 16 * part);
                    sums[part] += weights[tap] * (one + other);
                }
            }
        }
        for (long part = 0; part < PARTS; part++) {
            store_wide(outputs + place + 16 * part, &sums[part]);
        }
    }
}
