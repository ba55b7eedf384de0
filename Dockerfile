# The screens, built once.
FROM node:22-slim AS screens
WORKDIR /build/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --include=dev --no-audit --no-fund
COPY frontend/ ./
RUN npm run build

# The portal.
FROM python:3.12-slim
ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PORTAL_ENV=production PORTAL_HOST=0.0.0.0 PORT=8000 PORTAL_DATA_DIR=/data STATIC_ROOT=/srv/portal/static-collected
WORKDIR /srv/portal
COPY requirements.txt ./
RUN pip install -r requirements.txt
COPY manage.py pyproject.toml ./
COPY apps ./apps
COPY portal ./portal
COPY static ./static
COPY templates ./templates
COPY --from=screens /build/frontend/dist ./frontend/dist
# Static files do not depend on the configuration; a throw-away folder holds the keys that collecting asks for.
RUN PORTAL_ENV=development PORTAL_DATA_DIR=/tmp/build python manage.py collectstatic --noinput --verbosity 0 \
    && rm -rf /tmp/build \
    && useradd --system --uid 10001 --home-dir /srv/portal portal \
    && mkdir /data && chown portal /data
USER portal
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s CMD ["python", "-m", "portal.healthcheck"]
STOPSIGNAL SIGTERM
# Migrations are a step of the release: docker run … python manage.py migrate
CMD ["python", "manage.py", "serve"]
