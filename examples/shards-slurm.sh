#!/bin/bash
# Tapedeck on Slurm by hand; `tapedeck slurm` prints the same with time and memory measured.
#
#   RECORDINGS=/archive RESULTS=/results SHARDS=64 bash shards-slurm.sh
#
# Both folders are on a disk that all nodes see.
#
# When something fails:
# - A task is killed, or its node dies: Slurm starts it again (--requeue), and it does what is left.
#   To start tasks 5 and 7 to 9 again by hand: sbatch --array=5,7-9 with the rest of the line below,
#   then `tapedeck merge "$RESULTS"`.
# - The merge says which shards are not through, in the form that --array takes.
# - A task is out of time or memory: raise --time or --mem and start it again; nothing is lost.
# - Tasks end with status 3: recordings failed. `tapedeck status "$RESULTS"` says which after the
#   merge.
set -eu
# As the shell of a task reads them again.
recordings=${RECORDINGS@Q} results=${RESULTS@Q}
shared="--parsable --time=04:00:00 --mem=2G --open-mode=append"
plan=$(sbatch $shared --job-name=tapedeck-plan --output=tapedeck-plan-%j.log \
    --wrap="tapedeck plan $recordings --output $results --shards $SHARDS")
array=$(sbatch $shared --job-name=tapedeck --output=tapedeck-%A-%a.log --requeue \
    --dependency=afterok:"$plan" --kill-on-invalid-dep=yes --array=1-"$SHARDS" --cpus-per-task=1 \
    --wrap="tapedeck run $recordings --output $results --shard auto --shards $SHARDS --jobs 1")
sbatch $shared --job-name=tapedeck-merge --output=tapedeck-merge-%j.log \
    --dependency=afterok:"$plan",afterany:"$array" --kill-on-invalid-dep=yes \
    --wrap="tapedeck merge $results"
