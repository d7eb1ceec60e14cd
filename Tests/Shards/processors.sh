#!/usr/bin/env bash
# Whether processors that differ write the same bytes: without AVX (Nehalem, of 2008), and with AVX2
# (Haswell, of 2013), both emulated, against this one.
#
# Usage: processors.sh TAPEDECK [FOLDER [OPTIONS...]]. Needs qemu-user. Prints which outputs differ;
# exit status 1 if any do.
set -euo pipefail
tool=$1
folder=${2:-corpus}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run OUTPUT EMULATOR...: recordings may fail (3).
run() {
    local output=$1 status=0
    shift
    "$@" "$tool" run "$folder" --output "$output" --no-config --trim gaps --trim-format flac \
        --waveform-bits 16 --quiet 2> /dev/null || status=$?
    [ "$status" -eq 0 ] || [ "$status" -eq 3 ]
}

run "$work/here" env
differing=0
for processor in Nehalem Haswell; do
    run "$work/$processor" qemu-x86_64 -cpu "$processor"
    diff -rq -x '.tapedeck*' "$work/here" "$work/$processor" || differing=1
done
[ "$differing" -eq 0 ] && echo "the same bytes on three processors"
