import { get } from "node:http";

// Health check of a container: exits with 0 if its server is ready, otherwise with 1.
get({ host: "127.0.0.1", port: process.env.PORT ?? 3000, path: "/readyz" }, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
).on("error", () => process.exit(1));
