#!/bin/sh
# Backs the portal up into a folder named after the moment; then only the newest whole backups stay, PORTAL_BACKUPS_KEPT of them.
# Run by a timer (docs/operations.md, Back up). What fails leaves all earlier ones, and ends with an error for the timer's log.
set -eu
cd "$(dirname "$0")/.."
setting() { sed -n "s/^$1=//p" deploy/portal.env | tail -n 1 | tr -d "\"'"; } # quoted or not, as Compose reads it
folder=$(setting PORTAL_BACKUP_FOLDER) kept=$(setting PORTAL_BACKUPS_KEPT)
folder=${folder:-./backup} kept=${kept:-14}

docker compose --env-file deploy/portal.env run --rm --no-TTY tools \
    python manage.py backup "/data/backup/$(date -u +%Y-%m-%dT%H%M%SZ)"

# Only folders of ours, by their name; one without a manifest was never finished, and goes with those of its time.
ls -d "$folder"/????-??-??T??????Z/manifest.json | sort -r | tail -n "+$((kept + 1))" | while read -r manifest; do
    rm -r "$(dirname "$manifest")"
done
oldest=$(ls -d "$folder"/????-??-??T??????Z/manifest.json | sort | head -n 1)
for unfinished in "$folder"/????-??-??T??????Z; do
    if [ ! -e "$unfinished/manifest.json" ] && [ "$unfinished/" '<' "$oldest" ]; then
        rm -r "$unfinished"
    fi
done
