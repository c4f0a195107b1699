#!/bin/sh
# Records each backup of pgbackrest-backup.sh in Oja, with the time at which it was complete. To
# record one again changes nothing.
set -u
trap 'exit 0' TERM INT
recorded=
while true; do
  for path in /var/lib/pgbackrest/recorded/*; do
    label=${path##*/}
    case " $recorded " in *" $label "*) continue ;; esac
    test -e "$path" || continue
    taken=$(date -u -r "$path" +%Y-%m-%dT%H:%M:%SZ)
    oja backup record "$label" --target repo1 --taken-at "$taken" && recorded="$recorded $label"
  done
  sleep 30 &
  wait $!
done
