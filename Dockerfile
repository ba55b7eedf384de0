# syntax=docker/dockerfile:1
# The screens, built once.
FROM node:22-slim AS screens
WORKDIR /build/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --include=dev --no-audit --no-fund
COPY frontend/ ./
RUN npm run build

# The packages: all are wheels, so nothing is compiled and no compiler is needed.
FROM python:3.11-slim-trixie AS packages
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /build
RUN python -m venv --without-pip /opt/portal
COPY requirements.txt ./
RUN python -m pip --python /opt/portal/bin/python install --only-binary :all: -r requirements.txt

# The portal with its static files, collected and compressed.
FROM python:3.11-slim-trixie AS files
ENV PATH=/opt/portal/bin:$PATH
COPY --from=packages /opt/portal /opt/portal
WORKDIR /srv/portal
COPY manage.py ./
COPY apps ./apps
COPY portal ./portal
COPY static ./static
COPY templates ./templates
COPY --from=screens /build/frontend/dist ./frontend/dist
# They do not depend on the configuration; a throw-away folder holds the keys that collecting asks for.
RUN PORTAL_ENV=development PORTAL_DATA_DIR=/tmp/build STATIC_ROOT=/srv/portal/static-collected \
    python manage.py collectstatic --noinput --verbosity 0 \
    && python -m compileall -q apps portal

# What runs.
FROM python:3.11-slim-trixie AS portal
ENV PATH=/opt/portal/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    PORTAL_ENV=production PORTAL_HOST=0.0.0.0 PORT=8000 PORTAL_DATA_DIR=/data STATIC_ROOT=/srv/portal/static-collected
RUN useradd --system --uid 10001 --home-dir /srv/portal --shell /usr/sbin/nologin portal \
    && install --directory --owner portal --mode 0750 /data/private /data/backup \
    && install --directory --owner portal --mode 0755 /data/media /srv/static
COPY --from=packages /opt/portal /opt/portal
COPY --from=files /srv/portal /srv/portal
WORKDIR /srv/portal
USER 10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["python", "-m", "portal.ops.healthcheck"]
STOPSIGNAL SIGTERM
CMD ["python", "manage.py", "serve", "--no-sweeps"]

# The same with PostgreSQL's programs, for backup and restore; they would make every web instance larger.
# They are pinned to the server's version, 17; Debian mends its packages under new numbers and keeps no old ones.
FROM portal AS tools
USER root
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client-17 && rm -rf /var/lib/apt/lists/*
USER 10001
HEALTHCHECK NONE
CMD ["python", "manage.py", "audit"]
