#!/bin/sh
# Restores a dump into the database of DATABASE_URL, all of it or nothing, as a superuser. The roles and empty schemas are there
# before (setup-database.mjs roles), and setup-database.mjs restored comes after: docs/running/backup.md
set -eu
: "${DATABASE_URL:?}" "${1:?name the dump}"

tables=$(psql --no-psqlrc --no-password --dbname="$DATABASE_URL" -Atc \
  "select count(*) from pg_tables where schemaname not in ('pg_catalog', 'information_schema')")
if [ "$tables" != 0 ]; then
  echo "The database has $tables tables already: restore into a new one." >&2
  exit 1
fi
pg_restore --dbname="$DATABASE_URL" --no-password --clean --if-exists --single-transaction --exit-on-error "$1"
echo "restored: $1"
