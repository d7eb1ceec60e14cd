#pragma once
#include <nettle/sha2.h>
#include <nettle/version.h>

// From version 4 on the digest functions take no length.
static inline void finish_sha256(struct sha256_ctx *context, unsigned char digest[32]) {
#if NETTLE_VERSION_MAJOR >= 4
    nettle_sha256_digest(context, digest);
#else
    nettle_sha256_digest(context, SHA256_DIGEST_SIZE, digest);
#endif
}
