import { existsSync } from "node:fs";
import { type BrowserContext, chromium } from "@playwright/test";
import { CHROMIUM, CHROMIUM_ARGS } from "../../e2e/support/browser.ts";
import { median } from "../measuring/durations.ts";
import type { Row } from "../measuring/result.ts";
import { USER_AGENT } from "./client.ts";
import type { MonthPage } from "./program.ts";
import type { Programs, Side } from "./rounds.ts";

interface Paint {
  /** until anything is painted */
  firstMs: number;
  /** until the page is loaded and the first reservation painted */
  reservationMs: number;
}

const PROFILES = ["empty", "used before"] as const;
type Profile = (typeof PROFILES)[number];

/**
 * Opens the month in a browser: with an empty profile, then again with the files that it has kept. Returns no rows
 * without a browser.
 */
export async function measurePaints(programs: Programs, opens: number): Promise<Row[]> {
  if (!existsSync(CHROMIUM)) {
    console.log(`There is no browser at ${CHROMIUM}, so no page is painted`);
    return [];
  }
  const sides = Object.keys(programs) as Side[];
  const paints = new Map<string, Paint[]>();
  for (let open = 0; open < opens; open += 1) {
    for (const side of sides) {
      const page = programs[side]?.monthPage();
      if (!page) continue;
      for (const [profile, paint] of Object.entries(await openTwice(page))) {
        const key = `${side} ${profile}`;
        paints.set(key, [...(paints.get(key) ?? []), paint]);
      }
    }
  }
  const medianOf = (side: Side, profile: Profile, field: keyof Paint): number | null => {
    const values = paints.get(`${side} ${profile}`);
    return values ? median(values.map((paint) => paint[field])) : null;
  };
  return PROFILES.map((profile) => ({
    ...{ table: "paints", profile },
    innkeyFirstMs: medianOf("innkey", profile, "firstMs"),
    innkeyReservationMs: medianOf("innkey", profile, "reservationMs"),
    peerFirstMs: medianOf("peer", profile, "firstMs"),
    peerReservationMs: medianOf("peer", profile, "reservationMs"),
  }));
}

async function openTwice(month: MonthPage): Promise<Record<Profile, Paint>> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGS });
  try {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: "en",
      userAgent: USER_AGENT,
    });
    if (month.cookie) await context.addCookies([{ ...month.cookie, url: month.url }]);
    return { empty: await open(context, month), "used before": await open(context, month) };
  } finally {
    await browser.close();
  }
}

async function open(context: BrowserContext, { url, reservation }: MonthPage): Promise<Paint> {
  const page = await context.newPage();
  const openedAt = performance.now();
  await page.goto(url);
  await page.locator(reservation).first().waitFor();
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
  const reservationMs = performance.now() - openedAt;
  const firstMs = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
  await page.close();
  return { firstMs, reservationMs };
}
