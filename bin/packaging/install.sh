#!/bin/sh
# Installs or upgrades Masthead on Linux or macOS.
#
#   sh install.sh [--from FOLDER-OR-URL] [--url https://PUBLIC-NAME] [--no-service] [--to FOLDER]
#   sh install.sh --remove
#
# It takes the executable for this machine from a release and compares its checksum. As root on a machine with systemd
# it makes the user masthead, the folder /var/lib/masthead and a service, and starts it. Otherwise it puts the
# executable into the folder of --to, else into /usr/local/bin (root) or ~/.local/bin. --remove removes the service and
# the executable, and leaves the data.
set -eu

releases=https://masthead.example/releases/latest

main() {
  from=$releases
  public_url=
  with_service=yes
  remove=no
  to=
  while [ $# -gt 0 ]; do
    case $1 in
      --from | --url | --to)
        [ $# -gt 1 ] || fail "$1 expects a value."
        case $1 in --from) from=${2%/} ;; --url) public_url=$2 ;; --to) to=$2 ;; esac
        shift
        ;;
      --no-service) with_service=no ;;
      --remove) remove=yes ;;
      *) fail "Unknown option $1. See the first lines of this script." ;;
    esac
    shift
  done
  case $public_url in
    '' | https://* | http://*) ;;
    *) fail "--url expects an address that begins with https://, not $public_url." ;;
  esac
  case $public_url in *[!A-Za-z0-9.:/_-]*) fail "--url expects an address, not $public_url." ;; esac

  if [ "$(id -u)" -eq 0 ]; then folder=/usr/local/bin; else folder=$HOME/.local/bin; fi
  if [ -n "$to" ]; then folder=$to; fi
  if [ -n "$to" ] || [ "$(id -u)" -ne 0 ] || [ ! -d /run/systemd/system ]; then with_service=no; fi
  if [ "$remove" = yes ]; then
    remove_all
    return
  fi
  if [ -x /usr/bin/masthead ] && [ "$folder" = /usr/local/bin ]; then
    fail 'Masthead is installed as a package in /usr/bin. Upgrade that: apt install ./masthead_….deb'
  fi

  read_platform
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  fetch SHA256SUMS
  take "masthead-$platform.tar.gz"
  tar -xzf "$work/masthead-$platform.tar.gz" -C "$work" masthead
  new=$("$work/masthead" version) || fail "The executable does not run here.$(missing_libraries)"
  if [ "$with_service" = yes ]; then
    for name in masthead.service masthead.toml masthead-service; do take "$name"; done
  fi

  put_executable
  if [ "$with_service" = yes ]; then
    set_up_service
    start_service
  else
    say "Start it with: masthead serve"
    case :$PATH: in *":$folder:"*) ;; *) say "$folder is not in your PATH." ;; esac
  fi
}

# Sets `platform` to the name of the release's executable for this machine.
read_platform() {
  case $(uname -sm) in
    'Linux x86_64') platform=linux-amd64 ;;
    'Linux aarch64' | 'Linux arm64') platform=linux-arm64 ;;
    'Darwin x86_64') platform=darwin-amd64 ;;
    'Darwin arm64') platform=darwin-arm64 ;;
    *) fail "Masthead runs on Linux and macOS, x64 and arm64; this is $(uname -sm)." ;;
  esac
  case $platform in
    linux-*) if uses_musl; then platform=$platform-musl; fi ;;
  esac
}

# A glibc system may have musl's loader as well, and Alpine may have a replacement for glibc's.
uses_musl() {
  if [ -f /etc/alpine-release ]; then return 0; fi
  for loader in /lib64/ld-linux-* /lib/ld-linux-*; do
    if [ -e "$loader" ]; then return 1; fi
  done
  for loader in /lib/ld-musl-*; do
    if [ -e "$loader" ]; then return 0; fi
  done
  return 1
}

missing_libraries() {
  case $platform in *-musl) echo ' It needs libstdc++: apk add libstdc++' ;; esac
}

# Gets one file of the release into the work folder.
fetch() {
  case $from in
    http://* | https://*)
      if command -v curl >/dev/null 2>&1; then
        curl -fsSL --retry 3 --output "$work/$1" "$from/$1" || fail "Could not get $from/$1."
      elif command -v wget >/dev/null 2>&1; then
        wget -q -O "$work/$1" "$from/$1" || fail "Could not get $from/$1."
      else
        fail 'This needs curl or wget.'
      fi
      ;;
    *) cp "$from/$1" "$work/$1" || fail "There is no $from/$1." ;;
  esac
}

# Gets a file and compares its checksum.
take() {
  fetch "$1"
  wanted=$(awk -v name="$1" '$2 == name { print $1 }' "$work/SHA256SUMS")
  [ -n "$wanted" ] || fail "The release has no checksum of $1."
  found=$(checksum "$work/$1")
  [ "$found" = "$wanted" ] || fail "The checksum of $1 is $found instead of $wanted. Nothing was installed."
}

checksum() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

# One rename, so that there is always a whole executable. A service that runs keeps the one that it was started with.
put_executable() {
  mkdir -p "$folder"
  old=
  if [ -x "$folder/masthead" ]; then old=$("$folder/masthead" version 2>/dev/null || true); fi
  cp "$work/masthead" "$folder/.masthead.new"
  chmod 0755 "$folder/.masthead.new"
  mv -f "$folder/.masthead.new" "$folder/masthead"
  if [ -n "$old" ]; then say "$old is now $new"; else say "$new is in $folder"; fi
}

set_up_service() {
  getent passwd masthead >/dev/null ||
    useradd --system --user-group --home-dir /var/lib/masthead --no-create-home --shell /usr/sbin/nologin masthead
  install -d -o masthead -g masthead -m 0700 /var/lib/masthead
  install -d -m 0755 /etc/masthead
  if [ ! -e /etc/masthead/masthead.toml ]; then
    install -o root -g masthead -m 0640 "$work/masthead.toml" /etc/masthead/masthead.toml
  fi
  if [ -n "$public_url" ]; then set_public_url; fi
  [ -e /var/lib/masthead/masthead.toml ] || ln -s /etc/masthead/masthead.toml /var/lib/masthead/masthead.toml
  sed "s|/usr/bin/masthead|$folder/masthead|" "$work/masthead.service" > /etc/systemd/system/masthead.service
  sed "s|/usr/bin/masthead|$folder/masthead|" "$work/masthead-service" > /usr/local/sbin/masthead-service
  chmod 0644 /etc/systemd/system/masthead.service
  chmod 0755 /usr/local/sbin/masthead-service
}

# Settings that somebody made stay as they are.
set_public_url() {
  if grep -q '^ *base_url *=' /etc/masthead/masthead.toml; then
    say '/etc/masthead/masthead.toml has a base_url already; it stays.'
  else
    sed -i "s|^# base_url = .*|base_url = \"$public_url\"|; s|^# trusted_proxies = |trusted_proxies = |" \
      /etc/masthead/masthead.toml
  fi
}

start_service() {
  systemctl daemon-reload
  systemctl --quiet enable masthead
  systemctl restart masthead || fail 'The service does not start. See: journalctl --unit=masthead'
  if ! /usr/local/sbin/masthead-service ready --wait 60 >/dev/null; then
    fail 'The service does not start. See: journalctl --unit=masthead'
  fi
  say 'The service runs. Its settings are in /etc/masthead/masthead.toml, its data in /var/lib/masthead.'
  # While there is no account, each start prints a link that makes the first one.
  started=$(systemctl show --property=InvocationID --value masthead)
  link=$(journalctl --quiet --output=cat "_SYSTEMD_INVOCATION_ID=$started" | grep '^Create the first account') ||
    return 0
  echo "$link"
  case $link in
    *http://127.0.0.1:*)
      say 'That link works on this machine. From another one, first: ssh -L 8787:127.0.0.1:8787 THIS-MACHINE' ;;
  esac
}

remove_all() {
  kept='The data are where they were.'
  if [ -z "$to" ] && [ "$(id -u)" -eq 0 ] && [ -f /etc/systemd/system/masthead.service ]; then
    systemctl --quiet disable --now masthead || true
    rm -f /etc/systemd/system/masthead.service /usr/local/sbin/masthead-service
    systemctl daemon-reload || true
    kept='Data and settings are where they were: /var/lib/masthead, /etc/masthead.'
  fi
  rm -f "$folder/masthead"
  say "Removed. $kept"
}

say() {
  printf 'masthead: %s\n' "$1" >&2
}

fail() {
  say "$1"
  exit 1
}

# Called at the end, so that a download that breaks off runs nothing.
main "$@"
