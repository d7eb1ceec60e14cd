#!/bin/bash
# Tapedeck on a few machines with ssh and GNU parallel.
#
#   RECORDINGS=/archive RESULTS=/results SHARDS=12 HOSTS=1/lab1,1/lab2,1/lab3 bash shards-parallel.sh
#
# Both folders are on a disk that all machines see under these names, and tapedeck is installed on
# each. `1/lab1` is one shard at a time on lab1, which uses all of its processors. Locks have to
# reach across machines (NFS version 4 does that; sshfs does not: see docs/shards.md).
#
# When something fails:
# - A machine goes away, or you stop this: run it again. Shards that are through end at once.
# - `tapedeck merge` says which shards are not through: run this again, or those by hand
#   (tapedeck run "$RECORDINGS" --output "$RESULTS" --shard 7/12).
# - Recordings fail: shards end with status 3 then, which is no reason to start them again, and the
#   merge is possible; `tapedeck status "$RESULTS"` says which they are.
set -eu
# As the shell on each machine reads them again.
recordings=${RECORDINGS@Q} results=${RESULTS@Q}
tapedeck plan "$RECORDINGS" --output "$RESULTS" --shards "$SHARDS"
parallel -I @shard@ --sshlogin "$HOSTS" --retries 2 --line-buffer --tag \
    "tapedeck run $recordings --output $results --shard @shard@/$SHARDS --quiet || [ \$? = 3 ]" \
    ::: $(seq "$SHARDS") || true
tapedeck merge "$RESULTS"
