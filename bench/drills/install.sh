#!/bin/bash
# Installs a release on a bare Debian with systemd, by the script and as a package, upgrades it and removes it again.
# Debian runs in namespaces of this machine: systemd is its process 1, with control groups of its own and no network.
#
#   bin/release --platforms linux-amd64 && bench/drills/install.sh [FOLDER-OF-THE-RELEASE]
#
# It needs root, mmdebstrap or a root made before (DEBIAN_TAR), and about 1 GB below TMPDIR. It prints what it saw.
set -euo pipefail
release=$(readlink -f -- "${1:-$(dirname -- "$0")/../../dist/release}")
work=$(mktemp -d)
root=$work/root
path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
machine=

end() {
  if [ -n "$machine" ]; then kill -KILL "$machine" || true; fi
  rm -rf "$work"
}
trap end EXIT

fail() {
  echo "FAILED: $1" >&2
  inside journalctl --no-pager --lines=30 --unit=masthead >&2 || true
  exit 1
}

# Runs a command on the Debian.
inside() {
  nsenter --target "$init" --mount --uts --ipc --net --pid --root --wd env -i "PATH=$path" "$@"
}

if [ -z "${DEBIAN_TAR-}" ]; then
  DEBIAN_TAR=$work/debian.tar
  mmdebstrap --quiet --variant=minbase --include=systemd,systemd-sysv,dbus bookworm "$DEBIAN_TAR"
fi
mkdir "$root"
tar -xf "$DEBIAN_TAR" -C "$root" --exclude './dev/*'
mkdir "$root/release"

cat > "$work/boot" <<'BOOT'
set -e
mount --make-rprivate /
mount --bind "$root" "$root"
mount --bind -o ro "$release" "$root/release"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
for folder in run tmp dev sys/fs/cgroup; do mount -t tmpfs -o mode=755 tmpfs "$root/$folder"; done
chmod 1777 "$root/tmp"
mkdir "$root/dev/shm" "$root/dev/pts" "$root/sys/fs/cgroup/systemd"
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
ln -s pts/ptmx "$root/dev/ptmx"
mount -t cgroup -o none,name=systemd systemd "$root/sys/fs/cgroup/systemd" ||
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
ip link set lo up
cd "$root"
pivot_root . mnt
umount -l /mnt
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=multi-user.target
BOOT
env root="$root" release="$release" unshare --fork --pid --mount --uts --ipc --net --cgroup --kill-child \
  bash "$work/boot" > "$work/boot.log" 2>&1 &
machine=$!
disown
init=
for _ in $(seq 300); do
  init=$(pgrep --parent "$machine" | head -n 1 || true)
  if [ -n "$init" ] && [ "$(cat "/proc/$init/comm" 2>/dev/null)" = systemd ] &&
    inside systemctl is-system-running --quiet 2>/dev/null; then break; fi
  if [ -n "$init" ] && [ "$(inside systemctl is-system-running 2>/dev/null)" = degraded ]; then break; fi
  sleep 0.1
done
echo "Debian $(inside cat /etc/debian_version), systemd as process 1: $(inside systemctl is-system-running || true)"
if inside sh -c 'command -v node || command -v bun || command -v curl'; then fail 'This is no bare machine.'; fi

# Prints the first line of the service's answer.
ask() {
  inside bash -c 'exec 3<>/dev/tcp/127.0.0.1/8787
    printf "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n" "$1" >&3
    head -n 1 <&3' - "$1"
}

echo '--- the script'
begun=$(date +%s%N)
inside sh /release/install.sh --from /release 2>&1 | tee "$work/said" || fail 'The script failed.'
link=$(grep -o '/portal/setup?token=[^ ]*' "$work/said") || fail 'It printed no link.'
ask "$link" | grep -q ' 200 ' || fail 'The link shows no page.'
echo "From the line to the set-up page: $((($(date +%s%N) - begun) / 1000000)) ms"
inside masthead-service doctor || fail 'doctor finds something.'
inside systemctl is-enabled masthead >/dev/null || fail 'The service would not start with the machine.'
inside systemd-analyze security masthead | tail -n 1
inside stat -c '%U %a %n' /var/lib/masthead /var/lib/masthead/data/secret.key /etc/masthead/masthead.toml

# The first commands of the manual below a heading, as root.
manual() {
  awk -v heading="$1" '$0 == heading { found = 1 } found && /^```sh/ { inside = 1; next }
    inside && /^```/ { exit } inside { sub(/^sudo /, ""); print }' "$(dirname -- "$0")/../../docs/operations.md"
}

echo '--- the first commands of the manual, without the proxy'
manual '# Running Masthead' | grep -v -e install.sh -e caddy | inside sh -e || fail 'The manual is wrong.'

echo '--- the machine is lost'
inside sh -e <<'KEPT' || fail 'Nothing was kept.'
cd /var/lib/masthead
masthead-service backup /var/lib/masthead/backups/2026-11-28.db >/dev/null
cp -r backups/2026-11-28.db data/facts data/secret.key /root
rm -r backups
KEPT
(echo cd /root && manual '### The machine is lost') | inside sh -e || fail 'The manual is wrong.'
inside masthead-service ready --wait 30 || fail 'It is not ready after the restore.'

echo '--- the script again, as an upgrade'
inside sh /release/install.sh --from /release 2>&1 || fail 'The script failed.'
inside masthead-service ready || fail 'It is not ready after the upgrade.'
inside sh /release/install.sh --remove
inside test -f /var/lib/masthead/data/masthead.db || fail 'The removal took the data.'
inside test ! -e /usr/local/bin/masthead || fail 'The executable is still there.'

echo '--- a file that was changed on its way'
cp -r "$release" "$work/changed" && echo >> "$work/changed/masthead-linux-amd64.tar.gz"
tar -C "$work/changed" -cf - SHA256SUMS masthead-linux-amd64.tar.gz |
  inside sh -c 'mkdir /run/changed && tar -xf - -C /run/changed'
if inside sh /release/install.sh --from /run/changed; then fail 'It installed a changed file.'; fi
inside test ! -e /usr/local/bin/masthead || fail 'It installed a changed file.'
inside rm -r /run/changed

echo '--- the package, on the data and settings that the script left and somebody changed'
inside sh -c 'echo "log_level = \"warn\"" >> /etc/masthead/masthead.toml'
inside dpkg --install /release/masthead_amd64.deb 2>&1 | tail -n 4
inside masthead-service ready --wait 30 || fail 'It is not ready.'
inside masthead-service doctor || fail 'doctor finds something.'
inside dpkg --install /release/masthead_amd64.deb 2>&1 | tail -n 1
inside masthead-service ready --wait 30 || fail 'It is not ready after the upgrade.'
inside grep -q log_level /etc/masthead/masthead.toml || fail 'The package changed the settings.'
inside dpkg --remove masthead 2>&1 | tail -n 2
if inside systemctl is-active --quiet masthead; then fail 'It still runs.'; fi
inside test -f /etc/masthead/masthead.toml || fail 'Removing took the settings.'
inside dpkg --purge masthead 2>&1 | tail -n 4
inside test -f /var/lib/masthead/data/masthead.db || fail 'The purge took the data.'
inside test ! -e /etc/masthead/masthead.toml || fail 'The purge left the settings.'
echo 'All of it holds.'
