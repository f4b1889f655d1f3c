#!/bin/sh
# Dumps the database of DATABASE_URL into a file of BACKUP_DIR, then removes those older than BACKUP_KEEP_DAYS. Reading is enough: the
# role `backup` may do no more. Needs pg_dump of the server's major version or a later one. docs/running/backup.md
set -eu
umask 077
: "${DATABASE_URL:?}" "${BACKUP_DIR:=/backups}" "${BACKUP_KEEP_DAYS:=14}"

file="$BACKUP_DIR/svc-$(date -u +%Y%m%dT%H%M%SZ).dump"
# Of a run that was killed.
rm -f "$BACKUP_DIR"/svc-*.part
# No wait for a lock longer than a migration holds one; a failed run is visible, a hanging one is not.
pg_dump --dbname="$DATABASE_URL" --no-password --format=custom --lock-wait-timeout=60s --file="$file.part"
# It can be read, and the schemas of the services are in it.
pg_restore --list "$file.part" | grep -q ' TABLE DATA offers '
mv "$file.part" "$file"
# Only after a success, so that a broken backup never empties the folder.
find "$BACKUP_DIR" -name 'svc-*.dump' -mtime "+$BACKUP_KEEP_DAYS" -exec rm -f {} +
echo "backed up: $file, $(wc -c < "$file") bytes"
