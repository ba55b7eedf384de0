# Built by `docker compose build` (docs/operations.md), which names the bases by digest, the release and the commit.
ARG NODE_IMAGE=node:24-trixie-slim
ARG PYTHON_IMAGE=python:3.13-slim-trixie
ARG POSTGRES_IMAGE=postgres:17-trixie

# The screens, built once.
FROM ${NODE_IMAGE} AS screens
WORKDIR /build/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY frontend/ ./
RUN npm run build

# The packages: all are wheels whose hashes are known, so nothing is compiled and no compiler is needed.
FROM ${PYTHON_IMAGE} AS packages
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /build
RUN python -m venv --without-pip /opt/portal
COPY requirements.txt ./
RUN python -m pip --python /opt/portal/bin/python install --no-compile --only-binary :all: --require-hashes -r requirements.txt
COPY deploy/prune.py ./
RUN python prune.py unused /opt/portal
# Debuggers' symbols are an eighth of the wheels' libraries; what they bundle under *.libs comes without.
RUN apt-get update && apt-get install --yes --no-install-recommends binutils \
    && find /opt/portal -name '*.so' -not -path '*.libs/*' -exec strip --strip-unneeded {} +

# The portal with its static files, collected and compressed.
FROM packages AS files
ENV PATH=/opt/portal/bin:$PATH
WORKDIR /srv/portal
COPY manage.py LICENSE NOTICE ./
COPY apps ./apps
COPY portal ./portal
COPY static ./static
COPY templates ./templates
COPY --from=screens /build/frontend/dist ./frontend/dist
# They do not depend on the configuration; a throw-away folder holds the keys that collecting asks for.
RUN python -m portal.ops.texts && PYTHONDONTWRITEBYTECODE=1 PORTAL_ENV=development PORTAL_DATA_DIR=/tmp/build STATIC_ROOT=/srv/portal/static-collected \
    python manage.py collectstatic --noinput --verbosity 0
# What was collected is served from there. Compiled by content, not by time: the same sources make the same bytes.
RUN python /build/prune.py collected /opt/portal && rm -r frontend/dist/assets \
    && python -m compileall -q --invalidation-mode unchecked-hash apps portal /opt/portal/lib

# What runs.
FROM ${PYTHON_IMAGE} AS portal
ARG PORTAL_RELEASE=unnamed
ARG PORTAL_REVISION=unknown
LABEL org.opencontainers.image.title="Wholesale ordering portal" org.opencontainers.image.licenses=MIT \
    org.opencontainers.image.version=${PORTAL_RELEASE} org.opencontainers.image.revision=${PORTAL_REVISION}
ENV PATH=/opt/portal/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    PORTAL_ENV=production PORTAL_HOST=0.0.0.0 PORT=8000 PORTAL_DATA_DIR=/data STATIC_ROOT=/srv/portal/static-collected
RUN useradd --system --uid 10001 --home-dir /srv/portal --shell /usr/sbin/nologin portal \
    && install --directory --owner portal --mode 0750 /data/private /data/backup \
    && install --directory --owner portal --mode 0755 /data/media /srv/static
COPY --from=files /opt/portal /opt/portal
COPY --from=files /srv/portal /srv/portal
WORKDIR /srv/portal
USER 10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s CMD ["python", "-IS", "portal/ops/healthcheck.py"]
STOPSIGNAL SIGTERM
CMD ["python", "manage.py", "serve"]

# The same with PostgreSQL's programs, for backup and restore, of the server's own version: 17. libpq comes from Debian.
FROM ${POSTGRES_IMAGE} AS postgresql
FROM portal AS tools
USER root
RUN apt-get update && apt-get install --yes --no-install-recommends libpq5 && rm -rf /var/lib/apt/lists/*
COPY --from=postgresql /usr/lib/postgresql/17/bin/pg_dump /usr/lib/postgresql/17/bin/pg_restore /usr/local/bin/
USER 10001
HEALTHCHECK NONE
CMD ["python", "manage.py", "audit"]
