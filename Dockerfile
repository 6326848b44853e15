# Two images of one tree: `bot` (no extractor, no LibreOffice, no browser) and `worker` (all of them).
#   docker build --target bot -t konspekt-bot .
#   docker build --target worker -t konspekt-worker .

FROM python:3.13-slim-bookworm AS base
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PATH=/opt/venv/bin:$PATH LANG=C.UTF-8
WORKDIR /app
RUN useradd --system --create-home --shell /usr/sbin/nologin konspekt \
    && mkdir /data && chown konspekt:konspekt /data

# The same locked wheels as `make run` installs, each with its hash.
FROM base AS bot-packages
RUN python -m venv /opt/venv
COPY requirements/uv.txt requirements/bot.txt requirements/
RUN pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements/uv.txt \
    && uv pip install --no-cache --python /opt/venv --require-hashes --only-binary :all: -r requirements/bot.txt
COPY pyproject.toml README.md ./
COPY bot bot
COPY core core
COPY workers workers
RUN pip install --no-cache-dir --no-deps --no-build-isolation . && pip uninstall --yes uv

FROM bot-packages AS worker-packages
COPY requirements/uv.txt requirements/worker.txt requirements/
RUN pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements/uv.txt \
    && uv pip install --no-cache --python /opt/venv --require-hashes --only-binary :all: -r requirements/worker.txt \
    && pip uninstall --yes uv

FROM base AS bot
COPY --from=bot-packages /opt/venv /opt/venv
COPY alembic.ini ./
COPY alembic alembic
USER konspekt
ENV DATA_DIR=/data LOG_FORMAT=json
VOLUME /data
CMD ["python", "-m", "bot"]

FROM base AS worker
COPY scripts/system_packages.sh scripts/
RUN scripts/system_packages.sh && rm -rf /var/lib/apt/lists/*
COPY --from=worker-packages /opt/venv /opt/venv
USER konspekt
ENV DATA_DIR=/data LOG_FORMAT=json
VOLUME /data
CMD ["python", "-m", "workers.main", "questions"]
