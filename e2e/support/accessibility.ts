import type { Page } from "@playwright/test";
import axe from "axe-core";

/** WCAG 2.2 AA, as far as a machine can tell: the serious and critical findings on what is shown. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const findings = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof import("axe-core") }).axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    });
    return violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      targets: nodes.map((node) => node.html.slice(0, 120)),
    }));
  });
  return findings
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, targets }) => `${id}: ${targets.slice(0, 3).join(" | ")}`);
}
