import { launchServer, type Server } from "./server.ts";
import { test as base } from "./test.ts";

/** For files that stop their server, or that must know everything that happens in their hotel. */
export const test = base.extend<object, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern
    async ({}, use) => {
      const server = await launchServer({ env: { DEMO_PASSWORD: process.env.E2E_PASSWORD ?? "" } });
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
});
