import type { Temporal as Library } from "temporal-polyfill/implementation";

/** Takes the place of `temporal-polyfill` in the build: browsers have Temporal themselves since 2025 or 2026. */
export let Temporal = (globalThis as { Temporal?: typeof Library }).Temporal;

/** Loads the polyfill in a browser without Temporal. */
export async function addTemporal(): Promise<void> {
  Temporal ??= (await import("temporal-polyfill/implementation")).Temporal;
}
