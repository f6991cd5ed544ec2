import { get } from "node:http";

// For the container's health check: 0 while this container's server is ready, 1 otherwise.
get({ host: "127.0.0.1", port: process.env.PORT ?? 3000, path: "/readyz" }, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
).on("error", () => process.exit(1));
