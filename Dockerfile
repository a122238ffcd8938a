# syntax=docker/dockerfile:1
# Two images:
#   docker build --tag plan-advisor .                                  the app; PostgreSQL comes from elsewhere (compose.yaml)
#   docker build --tag plan-advisor:demo --target all-in-one .         `plan-advisor demo` with a PostgreSQL of its own:
#   docker run --rm -p 127.0.0.1:3000:3000 plan-advisor:demo           its logins are public, so it answers as localhost only

FROM rust:1.95-slim-bookworm AS build
WORKDIR /src
COPY . .
# The caches persist, so that a change of our code does not recompile the dependencies.
RUN --mount=type=cache,target=/usr/local/cargo/registry,sharing=locked \
    --mount=type=cache,target=/src/target,sharing=locked \
    cargo build --locked --release --features documents --bin plan-advisor \
    && cp target/release/plan-advisor /usr/local/bin/

FROM debian:bookworm-slim AS base
# Without the certificates no https connection to a model or a managed database is trusted.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin plan-advisor
COPY --from=build /usr/local/bin/plan-advisor /usr/local/bin/
ENV BIND_ADDR=0.0.0.0:3000
EXPOSE 3000
# The binary checks itself: the image has no curl.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["plan-advisor", "health"]
ENTRYPOINT ["plan-advisor"]

FROM base AS all-in-one
# The app starts its own server; Debian's system-wide one is not needed.
RUN mkdir -p /etc/postgresql-common/createcluster.d \
    && echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.d/none.conf \
    && apt-get update \
    && apt-get install -y --no-install-recommends postgresql \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o plan-advisor -g plan-advisor -m 700 /var/lib/plan-advisor
# From outside a container no request comes from loopback, so `auto` would ask for https.
ENV PLAN_ADVISOR_HOME=/var/lib/plan-advisor SESSION_SECURE_COOKIE=off
VOLUME /var/lib/plan-advisor
USER plan-advisor
CMD ["demo"]

# The last stage is the default of `docker build`.
FROM base AS app
USER plan-advisor
CMD ["serve"]
