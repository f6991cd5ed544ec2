import { COUNTED_TO } from "@innkey/shared/lists";
import { guestListInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { z } from "zod";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { list as listGuests } from "./guest-list.queries.ts";

/** More stays than a list is counted to. */
const STAYS = COUNTED_TO + 40;

const list = (scope: Scope, input: z.input<typeof guestListInput>) => listGuests(scope, guestListInput.parse(input));

let world: TestWorld;
let hotel: TestHotel;

beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
});

/** Years of one-guest stays, one a day and room, in one statement. */
async function fill(stays: number): Promise<void> {
  await world.database.pool.query(
    `WITH place AS (
       INSERT INTO room (hotel_id, name) SELECT $1, 'R' || n FROM generate_series(0, 9) AS n RETURNING id, name
     ), made AS (
       INSERT INTO stay (hotel_id, state, unit, starts_at, ends_at, checked_in_at, checked_out_at)
       SELECT $1, 'checked_out', 'day', at, at + interval '1 day', at, at + interval '1 day'
         FROM generate_series(1, $2::int) AS n, LATERAL (SELECT timestamptz '2026-11-01' - n / 10 * interval '1 day' AS at) t
       RETURNING id, starts_at, ends_at
     ), person AS (
       INSERT INTO guest (hotel_id, name) SELECT $1, 'Guest ' || n FROM generate_series(1, $2::int) AS n RETURNING id
     ), ofStay AS (SELECT *, row_number() OVER (ORDER BY id) AS n FROM made),
     ofPerson AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM person),
     occupied AS (
       INSERT INTO occupancy (hotel_id, room_id, stay_id, state, starts_at, ends_at)
       SELECT $1, p.id, s.id, 'ended', s.starts_at, s.ends_at FROM ofStay s JOIN place p ON p.name = 'R' || s.n % 10
     )
     INSERT INTO stay_guest (hotel_id, stay_id, guest_id, "primary")
     SELECT $1, s.id, p.id, true FROM ofStay s JOIN ofPerson p USING (n)`,
    [hotel.id, stays],
  );
}

const page = (more: object = {}) => ({ keyword: "", page: 1, pageSize: 20, ...more });

it("looks up names for one page only, and counts a total up to a limit", async () => {
  await fill(STAYS);
  const scope = await hotel.scope();
  const first = await list(scope, page());
  expect(first.total).toBe(COUNTED_TO);
  expect(first.rows).toHaveLength(20);
  const second = await list(scope, page({ page: 2 }));
  const rows = [...first.rows, ...second.rows];
  expect(new Set(rows.map(({ stayGuestId }) => stayGuestId)).size).toBe(40);
  expect(rows.map(({ startsAt }) => startsAt)).toEqual(
    rows
      .map(({ startsAt }) => startsAt)
      .toSorted()
      .toReversed(),
  );
  expect(await list(scope, page({ page: 503 }))).toEqual({ rows: [], total: COUNTED_TO });
});

it("counts a smaller result exactly, whatever the filter", async () => {
  await fill(40);
  const scope = await hotel.scope();
  expect((await list(scope, page())).total).toBe(40);
  expect(await list(scope, page({ page: 9 }))).toEqual({ rows: [], total: 40 });
  expect((await list(scope, page({ state: "in" }))).total).toBe(0);
  expect((await list(scope, page({ state: "out" }))).total).toBe(40);
  expect((await list(scope, page({ keyword: "R3" }))).total).toBe(4);
  expect((await list(scope, page({ keyword: "guest 40" }))).rows.map(({ name }) => name)).toEqual(["Guest 40"]);
  expect((await list(scope, page({ from: "2026-11-01T00:00:00.000Z" }))).total).toBe(19);
});
