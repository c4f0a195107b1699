#!/bin/bash
# Takes a backup at the start and then every 24 hours: a full one when the last is a week old, a
# differential one otherwise. A failed one is tried again after ten minutes. With arguments, runs
# pgBackRest with them.
set -u
pgbackrest=/opt/oja/pgbackrest.sh
test $# = 0 || exec "$pgbackrest" "$@"
trap 'exit 0' TERM INT

full_is_due() {
  local last
  last=$(find "$PGBACKREST_REPO1_PATH/recorded" -name '*F' -mtime -7 2>/dev/null | tail -n 1)
  test -z "$last"
}

take() {
  local type=diff label
  full_is_due && type=full
  "$pgbackrest" stanza-create && "$pgbackrest" check && "$pgbackrest" backup --type="$type" || return 1
  label=$("$pgbackrest" info --output=json | grep -o '"label":"[^"]*"' | tail -n 1 | cut -d'"' -f4)
  mkdir -p "$PGBACKREST_REPO1_PATH/recorded" && touch "$PGBACKREST_REPO1_PATH/recorded/$label"
  find "$PGBACKREST_REPO1_PATH/recorded" -type f -mtime +30 -delete
  echo "backup $label is complete"
}

while true; do
  if take; then pause=86400; else pause=600; fi
  sleep "$pause" &
  wait $!
done
