# Sourced by the commands beside it, which have set `root` to the checkout. Gets the pinned Bun and the
# locked dependencies where they are missing, and leaves the path of Bun's executable in `bun`.
# Everything it says goes to standard error: standard output belongs to the program.
# shellcheck shell=sh
: "${root:?}"

set_up() {
  read_pinned_version
  read_platform
  stamp=$root/node_modules/.masthead-installed
  lock=$root/.tools/lock
  waits=0
  until find_bun && dependencies_are_current; do
    if take_lock; then
      install_what_is_missing
      release_lock
    else
      wait_for_the_other
    fi
  done
}

# Replaces the shell with Bun and one of our scripts. Ignores any .env or bunfig.toml in the caller's folder.
exec_bun() {
  script=$root/$1
  shift
  exec "$bun" --no-env-file --config="$root/bunfig.toml" "$script" "$@"
}

# Bundles the web application where it is older than its sources.
build_app() {
  "$bun" --no-env-file --config="$root/bunfig.toml" "$root/bin/build-app.ts" >&2
}

# Reads the version from "engines" in package.json, where it has a line of its own.
read_pinned_version() {
  version=
  while read -r key value; do
    if [ "$key" = '"bun":' ]; then
      value=${value#\"}
      version=${value%%\"*}
    fi
  done < "$root/package.json"
  [ -n "$version" ] || fail 'package.json does not say which Bun is needed.'
}

# Sets `platform` to Bun's name for this machine, such as linux-x64-musl-baseline.
read_platform() {
  case $(uname -sm) in
    'Linux x86_64') platform=linux-x64 ;;
    'Linux aarch64' | 'Linux arm64') platform=linux-aarch64 ;;
    'Darwin x86_64') platform=darwin-x64 ;;
    'Darwin arm64') platform=darwin-aarch64 ;;
    *) fail "Masthead runs on Linux and macOS, x64 and arm64; this is $(uname -sm)." ;;
  esac
  if uses_musl; then platform=$platform-musl; fi
  if lacks_avx2; then platform=$platform-baseline; fi
}

# A glibc system may have musl's loader as well, and Alpine may have a replacement for glibc's.
uses_musl() {
  if [ -f /etc/alpine-release ]; then return 0; fi
  for loader in /lib/ld-musl-* /lib64/ld-linux-* /lib/ld-linux-*; do
    if [ -e "$loader" ]; then
      case $loader in *musl*) found_musl=yes ;; *) return 1 ;; esac
    fi
  done
  [ "${found_musl-}" = yes ]
}

lacks_avx2() {
  case $platform in
    linux-x64*) ! grep -q ' avx2' /proc/cpuinfo ;;
    darwin-x64*) ! sysctl -n machdep.cpu.leaf7_features 2>/dev/null | grep -q AVX2 ;;
    *) return 1 ;;
  esac
}

find_bun() {
  for bun in bun "$root/.tools/node_modules/@oven/bun-$platform/bin/bun"; do
    if [ "$("$bun" --version 2>/dev/null)" = "$version" ]; then return 0; fi
  done
  return 1
}

install_what_is_missing() {
  find_bun || { install_bun && find_bun; } || fail "Could not get Bun $version for $platform."
  dependencies_are_current || install_dependencies || fail 'Could not install the dependencies.'
}

# Bun's package needs no install script. A Bun of another version can fetch it, too.
install_bun() {
  package=@oven/bun-$platform@$version
  say "Getting Bun $version ($package)"
  if command -v npm >/dev/null 2>&1; then
    npm install --prefix "$root/.tools" --no-save --no-package-lock --ignore-scripts --no-audit --no-fund \
      --no-update-notifier --loglevel=error "$package" >&2
  elif command -v bun >/dev/null 2>&1; then
    echo '{}' > "$root/.tools/package.json" # else Bun adds it to the checkout's own
    bun add --cwd "$root/.tools" --ignore-scripts --no-summary "$package" >&2
  else
    fail "Masthead needs Node with npm, or Bun $version (https://bun.sh)."
  fi
}

# One line that identifies what is installed; it changes with the lock file, the manifest and the machine.
locked() {
  echo "$platform" "$(cat "$root/package.json" "$root/bun.lock" | cksum)"
}

dependencies_are_current() {
  installed=
  if [ -f "$stamp" ]; then read -r installed < "$stamp"; fi
  [ "$installed" = "$(locked)" ]
}

install_dependencies() {
  say 'Installing the locked dependencies'
  rm -f "$stamp"
  "$bun" install --cwd "$root" --frozen-lockfile --no-summary --no-progress >&2 && locked > "$stamp"
}

# One setup at a time. The lock is a symbolic link to its holder's process id, so creating it is one atomic step.
take_lock() {
  mkdir -p "$root/.tools"
  ln -s "$$" "$lock" 2>/dev/null || return 1
  trap release_lock EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
}

release_lock() {
  rm -f "$lock"
  trap - EXIT INT TERM HUP
}

wait_for_the_other() {
  if holder=$(readlink "$lock") && ! kill -0 "$holder" 2>/dev/null; then break_lock; fi
  [ "$waits" -gt 0 ] || say 'Waiting for another setup'
  [ "$waits" -lt 1500 ] || fail "Another setup does not end. If none is running, remove $lock."
  sleep 0.2
  waits=$((waits + 1))
}

# The holder died. Of several processes that notice, one removes its lock, and never the lock of its successor.
break_lock() {
  if mkdir "$lock.breaking" 2>/dev/null; then
    if [ "$(readlink "$lock")" = "$holder" ]; then rm -f "$lock"; fi
    rmdir "$lock.breaking"
  fi
}

say() {
  printf 'masthead: %s\n' "$1" >&2
}

fail() {
  say "$1"
  exit 1
}

set_up
