#!/bin/sh
# pgBackRest with the passphrase of the backups. Before the first backup, nothing needs the files of
# the write-ahead log.
set -eu
if [ "$1" = archive-push ] && [ ! -e "$PGBACKREST_REPO1_PATH/archive/$PGBACKREST_STANZA/archive.info" ]; then
  exit 0
fi
PGBACKREST_REPO1_CIPHER_PASS=$(cat /run/secrets/backup_passphrase)
export PGBACKREST_REPO1_CIPHER_PASS
exec pgbackrest "$@"
