#!/bin/sh
# Runs the first Python on this machine that is new enough, with the arguments given.
trap 'echo "Stopped; the same command goes on from here."; exit 130' INT # until Python says it, by tools/__init__.py
for python in "${PYTHON:-python3}" python3.14 python3.13 python3.12 python3.11; do
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        exec "$python" "$@"
    fi
done
echo "Python 3.11 or newer is needed, and none was found. PYTHON=/path/to/python make … names one." >&2
exit 1
