/// A TOML document as a sequence of events, read by toml++.
#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ctoml_kind {
    ctoml_table, ///< Begins; ctoml_end follows its members.
    ctoml_array, ///< Begins; ctoml_end follows its elements, which are no tables or arrays.
    ctoml_end,
    ctoml_string,
    ctoml_number,
    ctoml_boolean,
    ctoml_other, ///< A date or a time; a table or an array in an array; a table too deep.
};

/// How many tables may lie in each other.
enum { ctoml_most_tables = 4 };
// How many dots a line may have.
enum { ctoml_most_dots = 1000 };

/// The texts are UTF-8, valid during the call only.
struct ctoml_event {
    enum ctoml_kind kind;
    const char *key; ///< Empty for elements of arrays.
    size_t key_bytes;
    const char *text; ///< The value of what is no table and no array.
    size_t text_bytes;
    int line; ///< From 1.
};

/// Calls `visit` for everything in the document, tables by key.
///
/// Takes some hundred bytes of stack for each level of nesting, of which a document has at most
/// half as many as bytes.
/// - Returns: 0, or the line of the first error, of which `message` then has the text.
int ctoml_read(
    const char *document, size_t bytes, void *context,
    void (*visit)(void *context, const struct ctoml_event *event), char *message,
    size_t message_bytes);

#ifdef __cplusplus
}
#endif
