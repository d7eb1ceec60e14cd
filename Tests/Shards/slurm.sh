#!/bin/bash
# Shards as an array of Slurm, on one machine that plays four nodes.
#
# Usage: slurm.sh TAPEDECK [RECORDINGS]. As root, with slurmctld, slurmd, slurm-client and munge
# (apt install), and ffmpeg.
#
# An array of 8 over 2,000 short recordings: one task is killed with its node, one is requeued by
# Slurm beside its live twin, one node is slow. Then the merge, and `diff -r` with what one run writes.
set -eu
tool=$(realpath "$1")
count=${2:-2000}
here=$(mktemp -d)
mkdir -p "$here"/{state,spool,log,run,bin,in} /run/munge
ln -s "$tool" "$here/bin/tapedeck"
ln -s "$tool-decoder" "$here/bin/tapedeck-decoder"
export PATH="$here/bin:$PATH" SLURM_CONF="$here/slurm.conf"
say() { echo "$(date +%T) $*"; }
finish() {
    for pid in "$here"/run/*.pid; do [ -f "$pid" ] && kill -9 "$(cat "$pid")" 2> /dev/null || true; done
    pkill -9 -f "slurmstepd.*" 2>/dev/null || true
    [ -n "${KEEP:-}" ] && echo "kept $here" || rm -rf "$here"
}
trap finish EXIT

# Nodes without cgroups or accounting; a dead one is noticed within seconds.
host=$(hostname -s)
cat > "$SLURM_CONF" <<C
ClusterName=shards
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16917
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=cred_expire=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=2,bf_interval=2
MpiDefault=none
ReturnToService=2
JobRequeue=1
SlurmdTimeout=5
KillWait=5
StateSaveLocation=$here/state
SlurmdSpoolDir=$here/spool/%n
SlurmctldPidFile=$here/run/slurmctld.pid
SlurmdPidFile=$here/run/%n.pid
SlurmctldLogFile=$here/log/slurmctld
SlurmdLogFile=$here/log/%n
SlurmdParameters=config_overrides
NodeName=n[1-4] NodeHostname=$host NodeAddr=127.0.0.1 Port=[17101-17104] CPUs=1 RealMemory=4000
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
C
if ! munge -n 2> /dev/null | unmunge > /dev/null 2>&1; then
    [ -s /etc/munge/munge.key ] || /usr/sbin/mungekey --create > /dev/null 2>&1 \
        || dd if=/dev/urandom bs=1 count=1024 of=/etc/munge/munge.key 2> /dev/null
    chown munge: /etc/munge/munge.key /run/munge
    chmod 400 /etc/munge/munge.key
    chmod 755 /run/munge
    rm -f /run/munge/munge.socket.2*
    runuser -u munge -- /usr/sbin/munged
    sleep 1
fi
/usr/sbin/slurmctld -f "$SLURM_CONF"
for node in 1 2 3 4; do
    mkdir -p "$here/spool/n$node"
    /usr/sbin/slurmd -N "n$node" -f "$SLURM_CONF"
done
for _ in $(seq 60); do [ "$(sinfo -h -t idle -o %D)" = 4 ] && break; sleep 0.5; done
say "nodes: $(sinfo -h -o '%D %t')"

python3 "$(dirname "$0")/recordings.py" "$here/in" "$count"
options=(--trim gaps --threshold -40dBFS --no-config)
say "one run"
tapedeck run "$here/in" --output "$here/alone" "${options[@]}" --quiet

cd "$here"
tapedeck plan "$here/in" --output "$here/out" --shards 8 "${options[@]}"
# The node of task 3 is slow: it stands still half of the time. Task 2 stands still, when it is
# started first, once it has filled a pipe that nobody reads.
mkfifo pipe
exec 3<> pipe
cat > task.sh <<'T'
#!/bin/bash
echo "task $SLURM_ARRAY_TASK_ID on $SLURMD_NODENAME, start ${SLURM_RESTART_COUNT:-0}"
[ "$SLURM_ARRAY_TASK_ID-${SLURM_RESTART_COUNT:-0}" = 2-0 ] && exec > pipe && set -- "$@" --json
tapedeck run in --output out --shard auto --shards 8 --jobs 1 "$@" &
if [ "$SLURM_ARRAY_TASK_ID" = 3 ]; then
    while kill -STOP $! 2> /dev/null; do sleep 0.3; kill -CONT $!; sleep 0.3; done
fi
wait $!
T
array=$(sbatch --parsable --array=1-8 --requeue --open-mode=append --output=task-%a.log \
    task.sh "${options[@]}")
say "array $array"
running() { squeue -h -j "$array" -t R -o %K 2> /dev/null | grep -qx "$1"; }
begun() { [ -e "out/.tapedeck.shards/$1-of-8/.tapedeck" ]; }
for _ in $(seq 200); do running 1 && begun 1 && begun 2 && break; sleep 0.1; done

# The processes of a task, of any program or of one: they have its number in their environment.
processes() {
    local process
    for process in /proc/[0-9]*; do
        grep -qzx "SLURM_ARRAY_TASK_ID=$1" "$process/environ" 2> /dev/null || continue
        [ "${2:-$(cat "$process/comm")}" = "$(cat "$process/comm")" ] && echo "${process#/proc/}"
    done
}
node=$(squeue -h -j "${array}_1" -o %N)
other=$(squeue -h -j "${array}_2" -o %N)
job=$(squeue -h -j "${array}_2" -o %A)

# The other node is lost to Slurm, which starts task 2 elsewhere; but its process lives on.
twin=$(processes 2 tapedeck)
kill -9 "$(cat "run/$other.pid")"
pkill -9 -f "slurmstepd: \\[$job\\." || true
say "node $other is lost, with process $twin of task 2 alive"

# Task 1 dies with its node.
say "kill node $node and task 1"
kill -9 "$(cat "run/$node.pid")"
for process in $(processes 1); do kill -9 "$process" 2> /dev/null || true; done
sleep 2
say "node $node comes back"
/usr/sbin/slurmd -N "$node" -f "$SLURM_CONF"
scontrol requeue "${array}_1" 2> /dev/null || true

for _ in $(seq 450); do grep -q "another process" task-2.log && break; sleep 0.2; done
grep -q "task 2 .*, start 1" task-2.log
grep -q "another process (process $twin)" task-2.log
say "task 2, requeued, waits for process $twin, which goes on"
cat <&3 > task-2.json &
drain=$!
for _ in $(seq 600); do [ -z "$(squeue -h -j "$array" 2> /dev/null)" ] && break; sleep 1; done
[ -z "$(squeue -h -j "$array" 2> /dev/null)" ] || { squeue; exit 1; }
while kill -0 "$twin" 2> /dev/null; do sleep 0.1; done
kill "$drain"
cat task-*.log
merge=$(sbatch --parsable --wait --output=merge.log --wrap="tapedeck merge out")
say "merge $merge"
cat merge.log
diff -r -x '.tapedeck*' alone out
say "no difference"

# The same by the jobs that tapedeck submits itself.
tapedeck slurm in --output "$here/own" --shards 4 --jobs 1 "${options[@]}" --submit
for _ in $(seq 600); do [ -z "$(squeue -h)" ] && break; sleep 1; done
cat tapedeck-merge-*.log
diff -r -x '.tapedeck*' alone own
say "no difference"
