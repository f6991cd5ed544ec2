// Measures how quickly pages of the built console arrive in Chromium, with an empty profile on a slow connection and a
// slow processor, and at full speed with an empty profile and with one that was used before. `--against=<main.js>` is
// another build that is measured in the same rounds, `--only=<page>` leaves out the other pages.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "@playwright/test";
import { CHROMIUM, CHROMIUM_ARGS } from "../e2e/support/browser.ts";
import { openBench } from "./measuring/bench.ts";
import { median } from "./measuring/durations.ts";
import { listGuests, makeGuestLink } from "./measuring/guest-links.ts";
import { DEMO_OWNER, logIn, OWNER } from "./measuring/owner.ts";
import type { Program } from "./measuring/programs.ts";
import type { Row } from "./measuring/result.ts";
import { withWorld } from "./measuring/world.ts";
import { measureOpening, SLOW, type Visit, visit } from "./pages/visit.ts";
import { freePort } from "./soak/neighbours.ts";

const bench = openBench("pages", {
  full: { rounds: 5, menuOpenings: 3, settleMs: 5_000 },
  tiny: { rounds: 1, menuOpenings: 1, settleMs: 250 },
  texts: ["against", "only"],
});
/** `settleMs`: how long a page may take to become quiet before what follows; one with live changes never does */
const { rounds, menuOpenings, settleMs } = bench.sizes;

interface Place {
  /** on the console, or the whole address of a page elsewhere */
  path: string | ((build: Build) => string);
  /** what people open the page for */
  content: string;
  isPublic?: boolean;
  viewport?: { width: number; height: number };
}

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

const PLACES: Record<string, Place> = {
  login: { path: "/login", content: "form button[type=submit]:enabled", isPublic: true },
  board: { path: "/room", content: "[data-room]" },
  timeline: { path: "/timeline", content: "[data-bar]" },
  guests: { path: "/guests", content: "main tbody td" },
  customers: { path: "/customer/customer", content: "main tbody td" },
  overview: { path: "/home", content: "main h2" },
  // A guest opens the link for the first time, and can answer who they are.
  guest: { path: ({ guestLink }) => guestLink, content: "form input:enabled", isPublic: true, viewport: PHONE },
};
const names = Object.keys(PLACES).filter((name) => !bench.texts.only || bench.texts.only.split(",").includes(name));

const PROFILES = ["slow, empty profile", "empty profile", "used before"] as const;
type Profile = (typeof PROFILES)[number];

interface Build {
  build: "this" | "other";
  url: string;
  /** address of a guest's page */
  guestLink: string;
  cookie: { name: string; value: string; url: string };
  visits: Map<string, Visit[]>;
  menuMs: number[];
}

async function open(browser: Browser, build: Build, name: string): Promise<void> {
  const place = PLACES[name];
  if (!place) throw new Error(`There is no page ${name}`);
  const url = typeof place.path === "string" ? `${build.url}${place.path}` : place.path(build);
  const newContext = async () => {
    const context = await browser.newContext({ viewport: place.viewport ?? DESK, locale: "en" });
    if (!place.isPublic) await context.addCookies([build.cookie]);
    return context;
  };
  const add = (profile: Profile, visited: Visit): void => {
    const key = `${name} ${profile}`;
    build.visits.set(key, [...(build.visits.get(key) ?? []), visited]);
    console.log(`${name}, ${profile}, ${build.build} build: ${Math.round(visited.contentMs)} ms`);
  };
  const slow = await newContext();
  const { visit: slowVisit, page } = await visit(slow, { url, content: place.content, isSlow: true });
  add("slow, empty profile", slowVisit);
  if (name === "board") {
    await page.waitForLoadState("networkidle", { timeout: settleMs }).catch(() => undefined);
    for (let n = 0; n < menuOpenings; n += 1) {
      build.menuMs.push(await measureOpening(page, `li a[data-room] >> nth=${n}`, "[role=dialog]"));
      await page.keyboard.press("Escape");
      await page.locator("[role=dialog]").waitFor({ state: "detached" });
    }
  }
  await slow.close();
  const fast = await newContext();
  for (const profile of ["empty profile", "used before"] as const) {
    const opened = await visit(fast, { url, content: place.content, isSlow: false });
    add(profile, opened.visit);
    await opened.page.waitForLoadState("networkidle", { timeout: settleMs }).catch(() => undefined);
    await opened.page.close();
  }
  await fast.close();
}

function rowsOf({ build, visits, menuMs }: Build): Row[] {
  const pages = names.flatMap((page) =>
    PROFILES.map((profile) => {
      const visited = visits.get(`${page} ${profile}`) ?? [];
      const middle = (field: keyof Visit): number => median(visited.map((one) => one[field]));
      return {
        ...{ table: "pages", page, profile, build },
        paintedMs: middle("paintedMs"),
        contentMs: middle("contentMs"),
        requests: middle("requests"),
        kilobytes: middle("kilobytes"),
      };
    }),
  );
  return menuMs.length === 0 ? pages : [...pages, { table: "menu", build, menuMs: median(menuMs) }];
}

async function measure(): Promise<Row[]> {
  return withWorld(async (world) => {
    const { against } = bench.texts;
    const serve = async (name: string, main?: string): Promise<Program> => {
      const port = String(await freePort());
      const guests = { GUEST_PORT: port, GUEST_URL: `http://127.0.0.1:${port}` };
      const env = { DEMO_PASSWORD: OWNER.password, ...guests };
      return world.serve(await world.database(name), { withDemo: true, env, main });
    };
    const servers = [await serve("pages_this")];
    if (against !== undefined) servers.push(await serve("pages_other", against));
    try {
      return await measureBuilds(servers);
    } finally {
      for (const server of servers) await server.stop();
    }
  });
}

/** Makes a link for a guest in the house who can show who they are. */
async function makeLink(url: string, cookie: string): Promise<string> {
  const [guest] = await listGuests(url, cookie, "in");
  if (!guest) throw new Error("The demo hotel has no guest with a phone number");
  return makeGuestLink(url, cookie, guest.stayGuestId);
}

async function measureBuilds(servers: readonly Program[]): Promise<Row[]> {
  const builds = await Promise.all(
    servers.map(async ({ url }, n): Promise<Build> => {
      const cookie = await logIn(url, DEMO_OWNER);
      const [name = "", value = ""] = cookie.split("=", 2);
      return {
        ...{ build: n === 0 ? "this" : "other", url, cookie: { name, value, url } },
        ...{ guestLink: await makeLink(url, cookie), visits: new Map(), menuMs: [] },
      };
    }),
  );
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGS });
  try {
    for (let round = 1; round <= rounds; round += 1) {
      for (const name of names) for (const build of builds) await open(browser, build, name);
      console.log(`round ${round} of ${rounds} done`);
    }
  } finally {
    await browser.close();
  }
  return builds.flatMap(rowsOf);
}

if (existsSync(CHROMIUM)) await bench.finish(await measure(), { processor: SLOW.processor });
else await bench.finish([{ table: "menu", build: "this", menuMs: null }]);
