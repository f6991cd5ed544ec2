import type { Page } from "@playwright/test";
import axe from "axe-core";

const EVERYTHING = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Returns the serious and critical findings of WCAG 2.2 AA on the page as shown, as far as a machine can tell. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const findings = await page.evaluate(async (runOnly) => {
    const { violations } = await (window as unknown as { axe: typeof import("axe-core") }).axe.run(document, {
      runOnly,
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
