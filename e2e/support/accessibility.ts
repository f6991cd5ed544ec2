import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";

/** A third of the size of what the package exports as `source`, and the browser reads it once per page. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const EVERYTHING = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Returns the serious and critical findings of WCAG 2.2 AA on the page as shown, as far as a machine can tell. */
export async function findSeriousViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const findings = await page.evaluate(async (runOnly) => {
    const { violations } = await (window as unknown as { axe: typeof import("axe-core") }).axe.run(document, {
      runOnly,
      resultTypes: ["violations"],
      // Style sheets and media are loaded a second time for two rules alone: one is off, the other about sound.
      preload: false,
    });
    return violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      targets: nodes.map((node) => node.html.slice(0, 120)),
    }));
  }, EVERYTHING);
  return findings
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, targets }) => `${id}: ${targets.slice(0, 3).join(" | ")}`);
}
