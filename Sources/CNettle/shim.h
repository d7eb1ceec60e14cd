#pragma once
#include <nettle/md5.h>
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

static inline void finish_md5(struct md5_ctx *context, unsigned char digest[16]) {
#if NETTLE_VERSION_MAJOR >= 4
    nettle_md5_digest(context, digest);
#else
    nettle_md5_digest(context, MD5_DIGEST_SIZE, digest);
#endif
}
