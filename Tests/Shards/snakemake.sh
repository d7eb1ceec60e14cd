#!/bin/bash
# examples/shards.smk by Snakemake's local executor, against one run.
#
# Usage: snakemake.sh TAPEDECK RECORDINGS. Installs Snakemake from PyPI in a folder of its own.
set -euo pipefail
tool=$(realpath "$1") recordings=$(realpath "$2")
workflow=$(realpath "$(dirname "$0")/../../examples/shards.smk")
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/python"
"$here/python/bin/pip" install --quiet --disable-pip-version-check snakemake
mkdir "$here/bin"
ln -s "$tool" "$here/bin/tapedeck"
ln -s "$tool-decoder" "$here/bin/tapedeck-decoder"
export PATH="$here/bin:$PATH" HOME="$here"
tapedeck run "$recordings" --output "$here/alone" --quiet 2> /dev/null || [ $? = 3 ]
cd "$here"
# A second time as well: the output is merged, and the workflow has nothing to do.
for _ in first second; do
    python/bin/snakemake --snakefile "$workflow" --cores 2 \
        --config recordings="$recordings" results="$here/out" shards=4 > log 2>&1 \
        || { cat log; exit 1; }
done
diff -r -x '.tapedeck*' alone out
echo "no difference"
