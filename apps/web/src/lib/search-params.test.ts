import { createMemoryHistory, createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { instant, localDate, oneOf, text, whole } from "./search-params.ts";

const search = z.object({
  tab: oneOf(["data", "guests"]),
  q: text(5),
  room: whole(),
  date: localDate,
  from: instant,
});

it("reads valid parameters", () => {
  const validSearch = { tab: "guests", q: "ann", room: "17", date: "2026-03-02", from: "2026-03-02T10:00:00.000Z" };
  expect(search.parse({ ...validSearch, other: 1 })).toEqual({ ...validSearch, room: 17 });
});

it.each([
  ["tab", "locks"],
  ["q", "longer than five"],
  ["room", "-1"],
  ["date", "2026-13-99"],
  ["date", "x"],
  ["date", "2026-02-30"],
  ["from", "2026-03-02"],
  ["from", "2026-02-30T10:00:00Z"],
])("drops the %s of %s, also if a router merges it with the raw search", (name, raw) => {
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: "/page", validateSearch: search });
  const history = createMemoryHistory({ initialEntries: [`/page?${name}=${encodeURIComponent(raw)}`] });
  const router = createRouter({ routeTree: root.addChildren([page]), history });
  const result: Record<string, unknown> = router.matchRoutes(router.latestLocation).at(-1)?.search ?? {
    [name]: "no match",
  };
  expect(result[name]).toBeUndefined();
});
