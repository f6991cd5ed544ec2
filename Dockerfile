# The build needs only Node and the package registry.

FROM node:24.20.0-trixie-slim AS build
WORKDIR /build
ENV CI=true pnpm_config_pm_on_fail=ignore
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY apps/server/package.json apps/server/
COPY apps/simulators/package.json apps/simulators/
COPY apps/web/package.json apps/web/
COPY packages/shared/package.json packages/shared/
RUN npx --yes pnpm@12.21.0 install --frozen-lockfile
COPY . .
RUN node scripts/build.mjs

# The server's production packages, without build and test tools and without the embedded PostgreSQL.
FROM node:24.20.0-trixie-slim AS packages
WORKDIR /app
ENV CI=true pnpm_config_pm_on_fail=ignore
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY apps/server/package.json apps/server/
COPY packages/shared/package.json packages/shared/
RUN npx --yes pnpm@12.21.0 install --prod --frozen-lockfile --filter @innkey/server
COPY scripts/slim-packages.mjs scripts/
RUN node scripts/slim-packages.mjs node_modules
# Empty mount points for volumes, owned by the server's user.
RUN mkdir -p state/data state/backups
RUN mkdir -p state/volumes/caddy state/volumes/mosquitto state/volumes/store-data
RUN mkdir -p state/volumes/broker-ca state/volumes/owner state/volumes/postgres state/volumes/redis state/volumes/server state/volumes/store

FROM node:24.20.0-trixie-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/app/data
# Decoded pictures are large and short-lived. These settings make glibc return their memory to the system.
ENV MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072
COPY --chown=1000:1000 --from=packages /app/state ./
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/apps/server apps/server
COPY --from=build /build/apps/server/dist apps/server/dist
COPY --from=build /build/apps/web/dist apps/web/dist
COPY --from=build /build/apps/web/guest/dist apps/web/guest/dist
COPY --from=build /build/locales/*.json locales/
COPY --from=build /build/prisma/migrations prisma/migrations
COPY --from=build /build/prisma/grants.sql prisma/
COPY --from=build /build/package.json ./
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "apps/server/dist/cli/check-health.js"]
# Starts with an empty system; the first visitor creates the hotel and its owner.
CMD ["node", "--max-semi-space-size=4", "apps/server/dist/main.js", "--empty"]
