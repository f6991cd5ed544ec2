# npm start: installs and builds what has changed, then becomes the server, so that no other process has to stay.
set -e
node scripts/build.mjs
export NODE_ENV="${NODE_ENV:-production}"
# Decoded pictures are large and short-lived. With these settings glibc returns their memory (68 instead of 158 MB after
# five).
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}" MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-131072}"
exec node --max-semi-space-size=4 apps/server/dist/main.js "$@"
