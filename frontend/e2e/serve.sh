#!/bin/sh
# The portal for the browser tests: an empty data folder, the demo data, the shipped server, PayPal's simulator beside it.
set -eu
cd "$(dirname "$0")/../.."
python="${PORTAL_PYTHON:-.venv/bin/python}"
PORTAL_DATA_DIR="$E2E_DATA_DIR"
mkdir -p "$PORTAL_DATA_DIR"
trap 'rm -rf "$PORTAL_DATA_DIR"' EXIT
export PORTAL_DATA_DIR PORT="$E2E_PORT" THROTTLE_FACTOR=100 LOG_LEVEL=WARNING
export PAYPAL_ENDPOINT="http://127.0.0.1:$E2E_PAYPAL_PORT"
unset DATABASE_URL REDIS_URL PORTAL_ENV DJANGO_SETTINGS_MODULE SITE_URL
# `make test` has prepared one for all portals.
if [ -n "${E2E_DEMO:-}" ]; then cp -a "$E2E_DEMO/." "$PORTAL_DATA_DIR"; else "$python" manage.py prepare; fi
"$python" -m tools.paypal_simulator &
paypal=$!
"$python" manage.py serve &
server=$!
trap 'kill -TERM "$server" "$paypal" 2>/dev/null; wait "$server"; rm -rf "$PORTAL_DATA_DIR"' TERM INT EXIT
wait "$server"
