#!/usr/bin/env bash
# usage: scripts/with_postgres.sh COMMAND [ARGUMENT...]
#
# Start a private PostgreSQL on a free loopback port, run COMMAND with VERULAW_POSTGRES set to its
# URL, stop the server and remove its files. As root, Debian's package is installed where it is
# missing and the server runs as an unprivileged user. Where there can be no server, the reason is
# printed and COMMAND runs without VERULAW_POSTGRES: its tests say that they were skipped.
set -uo pipefail
[ "$#" -gt 0 ] || { sed -n '2,2s/^# //p' "$0" >&2; exit 2; }

find_bin() {
  local dir
  for dir in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV) "$(dirname "$(command -v initdb 2>/dev/null || echo /nowhere/x)")"; do
    if [ -x "$dir/initdb" ] && [ -x "$dir/pg_ctl" ]; then echo "$dir"; return 0; fi
  done
  return 1
}

without() { echo "no PostgreSQL for the tests: $1" >&2; shift; exec "$@"; }

bin=$(find_bin) || {
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing Debian's postgresql" >&2
    apt-get update -qq >/dev/null 2>&1
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >/dev/null 2>&1
  fi
  bin=$(find_bin) || without "initdb is not installed (apt-get install postgresql)" "$@"
}

# The server refuses to run as root.
as=()
if [ "$(id -u)" = 0 ]; then
  user=nobody
  id postgres >/dev/null 2>&1 && user=postgres
  command -v runuser >/dev/null 2>&1 || without "runuser is missing, and the server refuses root" "$@"
  as=(runuser -u "$user" --)
fi

dir=$(mktemp -d /tmp/verulaw-postgres.XXXXXX) || exit 3
[ "${#as[@]}" = 0 ] || chown "$user" "$dir"
started=
cleanup() {
  [ -z "$started" ] || "${as[@]}" "$bin/pg_ctl" -D "$dir/data" -m immediate -w stop >/dev/null 2>&1
  rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

"${as[@]}" env LC_ALL=C "$bin/initdb" -D "$dir/data" -U verulaw --auth=trust --encoding=UTF8 --no-sync \
  >"$dir/initdb.log" 2>&1 || { cat "$dir/initdb.log" >&2; rm -rf "$dir"; trap - EXIT; without "initdb failed" "$@"; }

# A port that is free now may be taken in a moment: try a few.
for _ in 1 2 3 4 5; do
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  if "${as[@]}" "$bin/pg_ctl" -D "$dir/data" -w -t 60 -l "$dir/data/server.log" \
    -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off" \
    start >/dev/null 2>&1; then
    started=yes
    break
  fi
done
if [ -z "$started" ]; then
  cat "$dir/data/server.log" >&2
  rm -rf "$dir"; trap - EXIT
  without "the server did not start" "$@"
fi

export VERULAW_POSTGRES="postgresql://verulaw@127.0.0.1:$port/postgres"
"$@"
code=$?
exit "$code"
