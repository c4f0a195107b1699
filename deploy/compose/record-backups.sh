#!/bin/sh
# Records each backup of pgbackrest-backup.sh in Oja, with the time at which it was complete.
set -u
trap 'exit 0' TERM INT
done=/var/lib/oja
while true; do
  for path in /var/lib/pgbackrest/recorded/*; do
    label=${path##*/}
    if [ ! -e "$path" ] || [ -e "$done/$label" ]; then continue; fi
    taken=$(date -u -r "$path" +%Y-%m-%dT%H:%M:%SZ)
    oja backup record "$label" --target repo1 --taken-at "$taken" && : > "$done/$label"
  done
  sleep 30 &
  wait $!
done
