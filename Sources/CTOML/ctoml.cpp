#define TOML_EXCEPTIONS 0
#include "ctoml.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>
#include <toml++/toml.h>

namespace {

struct Visitor {
    void *context;
    void (*visit)(void *, const ctoml_event *);

    void tell(ctoml_kind kind, std::string_view key, std::string_view text, int line) const {
        const ctoml_event event{kind, key.data(), key.size(), text.data(), text.size(), line};
        visit(context, &event);
    }

    template <typename Number> void number(std::string_view key, Number value, int line) const {
        // The shortest text that is read as the same number again.
        char text[32];
        const auto end = std::to_chars(text, text + sizeof text, value).ptr;
        tell(ctoml_number, key, {text, static_cast<size_t>(end - text)}, line);
    }

    void walk(std::string_view key, const toml::node &node, int depth) const {
        const int line = static_cast<int>(node.source().begin.line);
        if (const auto *table = node.as_table(); table && depth < ctoml_most_tables) {
            tell(ctoml_table, key, {}, line);
            for (const auto &[name, member] : *table) walk(name.str(), member, depth + 1);
            tell(ctoml_end, key, {}, line);
        } else if (const auto *array = node.as_array()) {
            tell(ctoml_array, key, {}, line);
            for (const auto &element : *array) {
                if (element.is_table() || element.is_array()) {
                    tell(ctoml_other, {}, {}, line);
                } else {
                    walk({}, element, depth);
                }
            }
            tell(ctoml_end, key, {}, line);
        } else if (const auto *string = node.as_string()) {
            tell(ctoml_string, key, string->get(), line);
        } else if (const auto *integer = node.as_integer()) {
            number(key, integer->get(), line);
        } else if (const auto *real = node.as_floating_point()) {
            number(key, real->get(), line);
        } else if (const auto *truth = node.as_boolean()) {
            tell(ctoml_boolean, key, truth->get() ? "true" : "false", line);
        } else {
            tell(ctoml_other, key, {}, line);
        }
    }
};

} // namespace

int ctoml_read(
    const char *document, size_t bytes, void *context,
    void (*visit)(void *, const ctoml_event *), char *message, size_t message_bytes) {
    const std::string_view text(document, bytes);
    // Each dot of a key is a level of the parser's stack.
    int line = 1, dots = 0;
    for (const char letter : text) {
        dots = letter == '\n' ? 0 : dots + (letter == '.');
        line += letter == '\n';
        if (dots > ctoml_most_dots) {
            std::snprintf(message, message_bytes, "the line has too many dots");
            return line;
        }
    }
    const auto result = toml::parse(text);
    if (!result) {
        const auto words = result.error().description();
        std::snprintf(
            message, message_bytes, "%.*s", static_cast<int>(words.size()), words.data());
        return std::max(1, static_cast<int>(result.error().source().begin.line));
    }
    const Visitor visitor{context, visit};
    for (const auto &[name, member] : result.table()) visitor.walk(name.str(), member, 0);
    return 0;
}
