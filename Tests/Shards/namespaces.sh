#!/bin/bash
# Shards by GNU parallel over ssh, on three machines: network namespaces that share one disk.
#
# Usage: namespaces.sh TAPEDECK RECORDINGS. As root, with openssh-server, parallel and iproute2.
# They share a kernel, and so its locks: what a share without locks does is not tried here.
set -eu
tool=$(realpath "$1") recordings=$(realpath "$2")
examples=$(realpath "$(dirname "$0")/../../examples")
here=$(mktemp -d)
finish() {
    for number in 1 2 3; do
        [ -f "$here/sshd$number.pid" ] && kill "$(cat "$here/sshd$number.pid")" 2> /dev/null
        ip netns delete "tapedeck$number" 2> /dev/null
        ip link delete "td$number" 2> /dev/null
    done
    rm -rf "$here"
}
trap finish EXIT
mkdir -p "$here/bin" /run/sshd
ln -s "$tool" "$here/bin/tapedeck"
ln -s "$tool-decoder" "$here/bin/tapedeck-decoder"
ssh-keygen -q -t ed25519 -N '' -f "$here/key"
ssh-keygen -q -t ed25519 -N '' -f "$here/host"
cp "$here/key.pub" "$here/authorized"
chmod 600 "$here/authorized"
hosts=""
for number in 1 2 3; do
    ip netns add "tapedeck$number"
    ip link add "td$number" type veth peer name inside netns "tapedeck$number"
    ip addr add "10.77.$number.1/24" dev "td$number"
    ip link set "td$number" up
    ip netns exec "tapedeck$number" ip addr add "10.77.$number.2/24" dev inside
    ip netns exec "tapedeck$number" ip link set inside up
    ip netns exec "tapedeck$number" /usr/sbin/sshd -f /dev/null -h "$here/host" -o Port=22 \
        -o PidFile="$here/sshd$number.pid" -o AuthorizedKeysFile="$here/authorized" \
        -o PermitRootLogin=yes -o StrictModes=no -o SetEnv=PATH="$here/bin:/usr/bin:/bin"
    hosts+="${hosts:+,}1/root@10.77.$number.2"
done
export PATH="$here/bin:$PATH"
export PARALLEL_SSH="ssh -i $here/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
tapedeck run "$recordings" --output "$here/alone" --quiet --no-config || [ $? = 3 ]
RECORDINGS=$recordings RESULTS=$here/out SHARDS=9 HOSTS=$hosts bash "$examples/shards-parallel.sh" \
    < /dev/null || [ $? = 3 ]
diff -r -x '.tapedeck*' "$here/alone" "$here/out"
echo "no difference"
