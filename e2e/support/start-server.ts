import { launchServer } from "./server.ts";

/** Starts the demo hotel that all tests share, and passes its address and secrets on in environment variables. */
export default async function startServer(): Promise<() => Promise<void>> {
  process.env.E2E_PASSWORD = "brass-key-at-night";
  const server = await launchServer({ env: { DEMO_PASSWORD: process.env.E2E_PASSWORD, WEBHOOK_ALLOW_LOCAL: "true" } });
  process.env.E2E_URL = server.url;
  process.env.E2E_DATA_DIR = server.dataDir;
  process.env.E2E_SECRET_KEY = server.secretKey;
  return server.stop;
}
