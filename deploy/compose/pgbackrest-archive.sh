#!/bin/sh
# pgbackrest-archive.sh PATH: archives a file of the write-ahead log. Before the first backup there is
# nothing that would need it.
set -eu
test -e "$PGBACKREST_REPO1_PATH/archive/$PGBACKREST_STANZA/archive.info" || exit 0
PGBACKREST_REPO1_CIPHER_PASS=$(cat /run/secrets/backup_passphrase)
export PGBACKREST_REPO1_CIPHER_PASS
exec pgbackrest archive-push "$1"
