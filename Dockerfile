# The suite with a browser: docker run --rm -v "$PWD:/profiles" gateway-conformance run --target staging.toml
FROM python:3.12-slim-bookworm
RUN apt-get update && apt-get install --yes --no-install-recommends chromium-headless-shell && rm -rf /var/lib/apt/lists/*
COPY constraints.txt /suite/
RUN pip install --no-cache-dir --require-hashes --requirement /suite/constraints.txt
COPY dist/*.whl /suite/
RUN pip install --no-cache-dir --no-deps --no-index /suite/*.whl && useradd --create-home payer
# Not as root: Chromium has a sandbox of its own for any other user.
USER payer
WORKDIR /profiles
ENTRYPOINT ["gateway-conformance"]
CMD ["--help"]
