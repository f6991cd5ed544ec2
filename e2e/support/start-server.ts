import { launch } from "./server.ts";

/** The demo hotel that all tests share; where and how it runs is left in the environment for them. */
export default async function startServer(): Promise<() => Promise<void>> {
  process.env.E2E_PASSWORD = "brass-key-at-night";
  const server = await launch({ env: { DEMO_PASSWORD: process.env.E2E_PASSWORD, WEBHOOK_ALLOW_LOCAL: "true" } });
  process.env.E2E_URL = server.url;
  process.env.E2E_DATA_DIR = server.dataDir;
  process.env.E2E_SECRET_KEY = server.secretKey;
  return server.stop;
}
