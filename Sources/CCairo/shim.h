// Cairo, loaded when a picture is drawn. Linked, it would bring twenty libraries into every start
// of the command; so the module map has no `link`, and Package.swift no pkgConfig, which adds one.
//
// It is loaded here and not in Swift because here the functions have the types of cairo's own
// header, held by the compiler; and because Reports makes no system calls.
#pragma once

#include <cairo/cairo-svg.h>
#include <cairo/cairo.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

// The functions that pictures need, without "cairo_".
#define CAIRO_CALLS(call) \
    call(clip) \
    call(close_path) \
    call(create) \
    call(destroy) \
    call(fill) \
    call(font_options_create) \
    call(font_options_destroy) \
    call(font_options_set_antialias) \
    call(font_options_set_hint_metrics) \
    call(font_options_set_hint_style) \
    call(get_source) \
    call(image_surface_create) \
    call(image_surface_get_data) \
    call(image_surface_get_stride) \
    call(line_to) \
    call(move_to) \
    call(pattern_set_filter) \
    call(rectangle) \
    call(restore) \
    call(save) \
    call(scale) \
    call(select_font_face) \
    call(set_font_options) \
    call(set_font_size) \
    call(set_line_join) \
    call(set_line_width) \
    call(set_source_rgb) \
    call(set_source_surface) \
    call(show_text) \
    call(status) \
    call(status_to_string) \
    call(stroke) \
    call(surface_destroy) \
    call(surface_finish) \
    call(surface_flush) \
    call(surface_mark_dirty) \
    call(surface_status) \
    call(surface_write_to_png_stream) \
    call(svg_surface_create_for_stream) \
    call(svg_surface_set_document_unit) \
    call(text_extents) \
    call(translate)

struct cairo_calls {
#define CAIRO_FIELD(name) __typeof__(&cairo_##name) _Nonnull name;
    CAIRO_CALLS(CAIRO_FIELD)
#undef CAIRO_FIELD
};

// Fills in all fields, or returns false: the library is not there, or is older than 1.15.10. It
// stays loaded.
static inline bool load_cairo(struct cairo_calls *_Nonnull calls) {
    void *library = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
    void *found;
#define CAIRO_LOOKUP(name) \
    found = dlsym(library, "cairo_" #name); \
    if (found == NULL) return false; \
    calls->name = (__typeof__(&cairo_##name))found;
    CAIRO_CALLS(CAIRO_LOOKUP)
#undef CAIRO_LOOKUP
    return true;
}
