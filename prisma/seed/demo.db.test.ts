import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectDatabase, type Database } from "../../apps/server/src/adapters/postgres/client.ts";
import { secretBox } from "../../apps/server/src/kernel/secret-box.ts";
import { createTestDatabase } from "../../apps/server/test/harness/database.ts";
import { seedDemo } from "./demo.ts";
import { seedLoadHotel } from "./load.ts";

const NOW = "2027-03-28T12:30:00.000Z";
const clock = { now: () => new Date(NOW) };
const secrets = { document: secretBox(Buffer.alloc(32, 1), "document") };

/** Every column except those with a fresh nonce, salt or chain hash. */
const CONTENT = `
  SELECT jsonb_build_object(
    'hotel', (SELECT jsonb_agg(to_jsonb(t)) FROM hotel t),
    'rooms', (SELECT jsonb_agg(to_jsonb(t) ORDER BY id) FROM room t),
    'locks', (SELECT jsonb_agg(to_jsonb(t) ORDER BY id) FROM lock t),
    'prices', (SELECT jsonb_agg(to_jsonb(t) ORDER BY room_id) FROM room_price t),
    'dates', (SELECT jsonb_agg(to_jsonb(t) ORDER BY room_id, date) FROM room_price_date t),
    'operators', (SELECT jsonb_agg(to_jsonb(t) - 'password_hash' ORDER BY id) FROM operator t),
    'grants', (SELECT jsonb_agg(to_jsonb(t) ORDER BY membership_id, room_id) FROM room_grant t),
    'customers', (SELECT jsonb_agg(to_jsonb(t) ORDER BY id) FROM customer t),
    'guests', (SELECT jsonb_agg(to_jsonb(t) - 'document_number_box' ORDER BY id) FROM guest t),
    'stays', (SELECT jsonb_agg(to_jsonb(t) ORDER BY id) FROM stay t),
    'stayGuests', (SELECT jsonb_agg(to_jsonb(t) ORDER BY id) FROM stay_guest t),
    'occupancies', (SELECT jsonb_agg(to_jsonb(t) - 'created_at' ORDER BY id) FROM occupancy t),
    'entries', (SELECT jsonb_agg(to_jsonb(t) ORDER BY id) FROM folio_entry t),
    'lines', (SELECT jsonb_agg(to_jsonb(t) ORDER BY id) FROM folio_entry_line t),
    'entries', (SELECT jsonb_agg(to_jsonb(t) ORDER BY id) FROM ledger_entry t),
    'unlocks', (SELECT jsonb_agg(to_jsonb(t) ORDER BY id) FROM unlock_record t)) AS content`;

describe("demo hotel", () => {
  const opened: { database: Database; drop: () => Promise<void> }[] = [];
  let database: Database;

  async function seeded(): Promise<Database> {
    const { url, drop } = await createTestDatabase();
    const connected = connectDatabase(url, 3, () => undefined);
    opened.push({ database: connected, drop });
    await seedDemo({ database: connected, secrets, clock, password: "demo-password", log: () => undefined });
    return connected;
  }

  async function rows<T>(text: string, on = database): Promise<T[]> {
    return (await on.pool.query(text)).rows as T[];
  }

  async function count(text: string): Promise<number> {
    return Number((await rows<{ count: string }>(`SELECT count(*) FROM ${text}`))[0]?.count);
  }

  beforeAll(async () => {
    database = await seeded();
  });

  afterAll(async () => {
    for (const { database: connected, drop } of opened) {
      await connected.close();
      await drop();
    }
  });

  it("is the same hotel every time, for the same clock", async () => {
    const again = await seeded();
    const [first] = await rows<{ content: unknown }>(CONTENT);
    const [second] = await rows<{ content: unknown }>(CONTENT, again);
    expect(first?.content).toBeTruthy();
    expect(second).toEqual(first);
  });

  it("has the rooms, people and stays that were promised", async () => {
    expect(await count("room")).toBe(60);
    expect(await count("room_group")).toBe(5);
    expect((await rows<{ floors: string }>("SELECT count(DISTINCT floor) AS floors FROM room"))[0]?.floors).toBe("6");
    expect(await count("stay")).toBeGreaterThan(280);
    expect(await count("stay WHERE state = 'checked_in'")).toBe(35);
    expect(await count(`stay WHERE state = 'checked_in' AND ends_at < '${NOW}'`)).toBe(3);
    expect(await count("stay WHERE state = 'reserved'")).toBeGreaterThanOrEqual(14);
    expect(await count("stay WHERE state = 'cancelled'")).toBeGreaterThan(0);
    expect(await count("occupancy WHERE kind = 'maintenance'")).toBe(2);
    expect(await count("room WHERE condition = 'dirty'")).toBe(4);
    expect(await count("guest")).toBeGreaterThan(250);
    expect((await rows<{ n: string }>("SELECT count(DISTINCT nationality) AS n FROM guest"))[0]?.n).toBe("15");
    expect(await count("unlock_record")).toBeGreaterThan(2000);
    expect(
      await count(
        "room_grant g JOIN membership m ON m.id = g.membership_id JOIN operator o ON o.id = m.operator_id AND o.mobile = '13800000003'",
      ),
    ).toBe(8);
  });

  it("tells the next shift that no lock is set up, and how to change that", async () => {
    expect(await count("lock WHERE configured_at IS NOT NULL")).toBe(0);
    const [note] = await rows<{ text: string }>("SELECT text FROM hand_over_note");
    expect(note?.text).toContain(`--locks ${await count("lock")}`);
  });

  it("invents nothing about the future", async () => {
    for (const at of [
      "stay WHERE created_at",
      "stay WHERE checked_in_at",
      "stay WHERE checked_out_at",
      "folio_entry WHERE created_at",
      "unlock_record WHERE at",
      "guest WHERE created_at",
      "hand_over_note WHERE created_at",
    ]) {
      expect.soft(await count(`${at} > '${NOW}'`), at).toBe(0);
    }
  });

  it("balances: every entry sums to zero, and lines are what was charged", async () => {
    expect(await count("ledger_entry")).toBeGreaterThan(1000);
    expect(
      await count("(SELECT folio_entry_id FROM ledger_entry GROUP BY 1 HAVING sum(amount_minor) <> 0) unbalanced"),
    ).toBe(0);
    const wrong = await rows(
      `SELECT o.id FROM folio_entry o LEFT JOIN folio_entry_line l ON l.folio_entry_id = o.id WHERE o.type IN ('room', 'renewal', 'exchange')
        GROUP BY o.id HAVING coalesce(sum(l.amount_minor), 0) <> o.amount_minor`,
    );
    expect(wrong).toEqual([]);
  });

  it("leaves nothing owed or held by those who have gone", async () => {
    const open = await rows(
      `SELECT s.id FROM stay s JOIN folio_entry o ON o.stay_id = s.id JOIN ledger_entry e ON e.folio_entry_id = o.id
        WHERE s.state IN ('checked_out', 'cancelled') AND e.account IN ('receivable', 'deposits')
        GROUP BY s.id, e.account HAVING sum(e.amount_minor) <> 0`,
    );
    expect(open).toEqual([]);
  });

  it("puts nobody into two rooms and nothing into a room twice", async () => {
    const overlaps = await rows(
      `SELECT a.id FROM occupancy a JOIN occupancy b ON a.room_id = b.room_id AND a.id < b.id
        AND tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)
        WHERE 'cancelled' NOT IN (a.state, b.state)`,
    );
    expect(overlaps).toEqual([]);
    const twice = await rows(
      `SELECT sg.guest_id FROM stay_guest sg JOIN stay s ON s.id = sg.stay_id AND s.state = 'checked_in'
        GROUP BY 1 HAVING count(*) > 1`,
    );
    expect(twice).toEqual([]);
  });

  it("keeps documents readable with the key and nowhere else", async () => {
    const guests = await rows<{ row: number; hotelId: number; box: Buffer; hash: Buffer }>(
      'SELECT id AS row, hotel_id AS "hotelId", document_number_box AS box, document_number_hash AS hash FROM guest WHERE document_number_box IS NOT NULL LIMIT 5',
    );
    expect(guests).toHaveLength(5);
    for (const { row, hotelId, box, hash } of guests) {
      const number = secrets.document.open(box, { column: "guest.document_number_box", hotelId, row }) ?? "";
      expect(number).toMatch(/^[A-Z0-9]{8,9}$/);
      expect(secrets.document.fingerprint(number)).toEqual(hash);
    }
  });

  it("seeds a load hotel beside it", async () => {
    const owner = { mobile: "13900000000", password: "load-password" };
    const hotelId = await seedLoadHotel({ database, clock, rooms: 500, stays: 350, owner });
    expect(await count(`room WHERE hotel_id = ${hotelId}`)).toBe(500);
    expect(await count(`occupancy WHERE hotel_id = ${hotelId} AND state IN ('held', 'in_house')`)).toBe(350);
  });
});
