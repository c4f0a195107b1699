#!/bin/sh
# Runs once, in an empty data folder: creates the role and lets each user of the machine in as the
# role of the same name, by the socket only.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -d oja -q <<'SQL'
create role oja login;
alter database oja owner to oja;
SQL
echo 'local all all peer' > "$PGDATA/pg_hba.conf"
