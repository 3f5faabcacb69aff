#!/bin/bash
# Builds the image of a release and runs it as compose.yaml does: read-only, without capabilities, not as root. Then it
# upgrades it (another container on the same volume) and stops it.
#
#   bin/release --platforms linux-amd64 && bench/drills/image.sh [FOLDER-OF-THE-RELEASE]
#
# It needs root, buildah, podman, crun, and mmdebstrap or a root made before (DEBIAN_TAR). That Debian takes the place
# of the images that the Containerfile begins with, so no registry of images is needed.
set -euo pipefail
release=$(readlink -f -- "${1:-$(dirname -- "$0")/../../dist/release}")
if [ -z "${IN_NAMESPACE-}" ]; then
  # crun refuses machines that mix the two versions of control groups; in a mount namespace one of them can be hidden.
  exec env IN_NAMESPACE=1 unshare --mount bash "$0" "$release"
fi
mount --make-rprivate /
umount --lazy /sys/fs/cgroup/unified 2>/dev/null || true
work=$(mktemp -d)
store=(--root "$work/storage" --runroot "$work/run" --storage-driver vfs)
export BUILDAH_ISOLATION=chroot TMPDIR=$work

end() {
  podman "${store[@]}" rm --force masthead >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap end EXIT

if [ -z "${DEBIAN_TAR-}" ]; then
  DEBIAN_TAR=$work/debian.tar
  mmdebstrap --quiet --variant=minbase bookworm "$DEBIAN_TAR"
fi
container=$(buildah "${store[@]}" from scratch)
buildah "${store[@]}" add --quiet "$container" "$DEBIAN_TAR" / >/dev/null
buildah "${store[@]}" commit --quiet "$container" localhost/debian >/dev/null
buildah "${store[@]}" bud --quiet --format docker --build-arg BASE=localhost/debian \
  --build-arg SHELL_IMAGE=localhost/debian --tag masthead --file "$release/Containerfile" "$release"
buildah "${store[@]}" images

# A machine without cgroups of its own, and with a low limit of open files.
start() {
  podman "${store[@]}" --runtime crun --cgroup-manager cgroupfs run --detach --name masthead --cgroups=disabled \
    --ulimit nofile=4096:4096 --ulimit nproc=1000:1000 --network=host --env MASTHEAD_PORT=8799 \
    --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --volume data:/data \
    localhost/masthead 2>&1 | grep -v 'systemd connection'
  podman "${store[@]}" exec masthead /opt/masthead/masthead ready --wait 30
}

stop() {
  podman "${store[@]}" stop --time 15 masthead 2>&1 | grep -v 'systemd connection'
  podman "${store[@]}" inspect --format '{{.State.ExitCode}}' masthead
  podman "${store[@]}" rm masthead >/dev/null 2>&1
}

start
podman "${store[@]}" healthcheck run masthead
podman "${store[@]}" logs masthead 2>&1 | grep '^Create the first account'
podman "${store[@]}" exec masthead /opt/masthead/masthead doctor
id=$(podman "${store[@]}" inspect --format '{{.State.Pid}}' masthead)
grep -E '^(Uid|CapEff|NoNewPrivs)' "/proc/$id/status"
[ "$(stop)" = $'masthead\n0' ] || { echo 'FAILED: it did not end with 0.' >&2; exit 1; }
start
podman "${store[@]}" exec masthead /opt/masthead/masthead doctor | grep facts
stop >/dev/null
echo 'All of it holds.'
