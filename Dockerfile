# The console as an image: `serve`, `prepare`, `celery worker` and `celery beat` all run from it (see compose.yaml).

FROM python:3.11-slim AS build
ENV UV_PYTHON_DOWNLOADS=never PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /switchboard
COPY requirements.lock ./
# uv comes from the lock as well, by its hash
RUN python -m venv /environment \
 && awk '/^uv==/{on=1} on{print} on&&!/\\$/{exit}' requirements.lock > uv.lock.part \
 && /environment/bin/python -m pip install --quiet --no-deps --only-binary :all: --require-hashes -r uv.lock.part \
 && /environment/bin/uv pip sync --quiet --require-hashes --compile-bytecode --python /environment/bin/python requirements.lock

FROM python:3.11-slim
RUN useradd --uid 10001 --create-home switchboard && install -d -o switchboard /data
COPY --from=build /environment /environment
WORKDIR /switchboard
COPY . .
ENV PATH=/environment/bin:$PATH \
    PYTHONPATH=/switchboard:/switchboard/sdk/src \
    PYTHONUNBUFFERED=1 \
    SWITCHBOARD_DATA=/data \
    LOG_FORMAT=json
USER switchboard
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
# Alone, the image is the embedded console: SQLite in /data, worker inside. `up` migrates and prints the first sign-in link.
CMD ["python", "manage.py", "up", "--host", "0.0.0.0"]
