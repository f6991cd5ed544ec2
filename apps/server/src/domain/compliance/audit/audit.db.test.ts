import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, failure, type TestServer } from "../../../../test/harness/server.ts";
import { secretsOf } from "../../../kernel/scope.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import { verifyChains } from "./audit-chain.ts";

let server: TestServer;
let box: SecretBox;
let hotel: TestHotel;
let owner: TestOperator;
beforeAll(async () => {
  server = await createTestServer();
  box = secretsOf(server.rootKey).audit;
  hotel = await server.createHotel();
  owner = await server.createOperator(hotel, { role: "owner" });
  for (let logins = 0; logins < 5; logins += 1) await server.loginAs(owner);
});
afterAll(() => server.close());

const reportOf = async () => (await verifyChains(server.database, box)).find(({ hotelId }) => hotelId === hotel.id);

/** Changes rows with the triggers disabled, which only a database administrator can do. */
async function tamper(sql: string): Promise<void> {
  const client = await server.database.pool.connect();
  try {
    await client.query(`SET session_replication_role = replica; ${sql}; RESET session_replication_role`);
  } finally {
    client.release();
  }
}

describe("the audit log", () => {
  it("is read newest first, page by page", async () => {
    const desk = await server.loginAs(owner);
    const first = await desk.api.audit.list.query({ limit: 4 });
    const second = await desk.api.audit.list.query({ limit: 4, before: first.nextBefore ?? "0" });
    expect([...first.rows, ...second.rows].map(({ seq }) => seq)).toEqual(["6", "5", "4", "3", "2", "1"]);
    expect(second.nextBefore).toBeNull();
    expect(first.rows[0]).toMatchObject({
      action: "session.login",
      entity: "session",
      address: "127.0.0.1",
      door: "console",
    });
  });

  it("is shown to owners and administrators of its hotel", async () => {
    const clerk = await server.loginAs(
      await server.createOperator(hotel, { role: "staff", capabilities: ["rooms.view"] }),
    );
    expect((await failure(clerk.api.audit.list.query({}))).code).toBe("no_permission");
    const stranger = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
    expect((await stranger.api.audit.list.query({})).rows.map(({ seq }) => seq)).toEqual(["1"]);
  });

  it("cannot be changed or deleted", async () => {
    const { pool } = server.database;
    await expect(pool.query("UPDATE audit_entry SET action = 'x'")).rejects.toThrow(/append-only/);
    await expect(pool.query("DELETE FROM audit_entry")).rejects.toThrow(/append-only/);
    await expect(pool.query("TRUNCATE audit_entry")).rejects.toThrow(/append-only/);
  });
});

describe("verifying the chain", () => {
  it("confirms a whole chain, and finds a changed row, a missing row and a missing end", async () => {
    expect(await reportOf()).toMatchObject({ brokenAt: null, endMissing: false });

    await tamper(`UPDATE audit_entry SET actor_name = 'Somebody' WHERE hotel_id = ${hotel.id} AND seq = 3`);
    expect(await reportOf()).toMatchObject({ brokenAt: "3" });
    await tamper(`UPDATE audit_entry SET hash = audit_hash(audit_entry) WHERE hotel_id = ${hotel.id} AND seq = 3`);
    expect(await reportOf(), "a forged hash breaks the next row").toMatchObject({ brokenAt: "4" });

    await tamper(`DELETE FROM audit_entry WHERE hotel_id = ${hotel.id} AND seq = 2`);
    expect(await reportOf()).toMatchObject({ brokenAt: "3" });

    await tamper(
      `DELETE FROM audit_entry WHERE hotel_id = ${hotel.id} AND seq = (SELECT max(seq) FROM audit_entry WHERE hotel_id = ${hotel.id})`,
    );
    expect(await reportOf()).toMatchObject({ endMissing: true });
  });
});

describe("verifying in batches", () => {
  const BATCH = 3;
  let hotel: TestHotel;
  beforeEach(async () => {
    hotel = await server.createHotel();
    const person = await server.createOperator(hotel, { role: "owner" });
    for (let logins = 0; logins < 8; logins += 1) await server.loginAs(person);
  });

  /** The entries are numbered 1 to 8, so batches of three are 1 to 3, 4 to 6, and 7 to 8. */
  const chain = async (batch = BATCH) =>
    (await verifyChains(server.database, box, batch)).find(({ hotelId }) => hotelId === hotel.id);
  const row = (seq: number): string => `hotel_id = ${hotel.id} AND seq = ${seq}`;

  it("confirms a whole chain for every batch size, including a full last batch", async () => {
    for (const batch of [1, 2, 3, 4, 7, 8, 9, 1000]) {
      expect(await chain(batch), `${batch} at a time`).toMatchObject({ entries: 8, brokenAt: null, endMissing: false });
    }
  });

  it("reads no more rows than the batch size in one statement", async () => {
    const counts: number[] = [];
    const pool = {
      query: async (...params: [string, unknown[]]) => {
        const answer = await server.database.pool.query(...params);
        if ("entries" in (answer.rows[0] ?? {})) counts.push(answer.rows[0].entries);
        return answer;
      },
    };
    await verifyChains({ pool: pool as never }, box, BATCH);
    expect(counts.length).toBeGreaterThan(3);
    expect(Math.max(...counts)).toBe(BATCH);
  });

  it("finds the first of several changed rows in a later batch", async () => {
    await tamper(`UPDATE audit_entry SET actor_name = 'Somebody' WHERE ${row(8)}`);
    expect(await chain()).toMatchObject({ entries: 8, brokenAt: "8" });
    await tamper(`UPDATE audit_entry SET actor_name = 'Somebody' WHERE ${row(5)}`);
    expect(await chain()).toMatchObject({ entries: 8, brokenAt: "5", endMissing: false });
  });

  it("finds a forged or missing row at the border of two batches", async () => {
    await tamper(`UPDATE audit_entry SET actor_name = 'Somebody' WHERE ${row(3)}`);
    await tamper(`UPDATE audit_entry SET hash = audit_hash(audit_entry) WHERE ${row(3)}`);
    expect(await chain(), "the last of a batch is forged").toMatchObject({ brokenAt: "4" });
    const rest = await chain(1000);
    expect(rest).toEqual(await chain());
  });

  it("finds missing rows on either side of a border, and at the end", async () => {
    await tamper(`DELETE FROM audit_entry WHERE ${row(4)}`);
    expect(await chain(), "the first of a batch is missing").toMatchObject({ entries: 7, brokenAt: "5" });
    await tamper(`DELETE FROM audit_entry WHERE hotel_id = ${hotel.id} AND seq > 6`);
    expect(await chain(), "a full batch is the last").toMatchObject({ entries: 5, endMissing: true });
    await tamper(`DELETE FROM audit_entry WHERE hotel_id = ${hotel.id}`);
    expect(await chain()).toMatchObject({ entries: 0, brokenAt: null, endMissing: true });
  });

  it.each(["0", "-9223372036854775808"])("finds a row inserted before the first, with the number %s", async (seq) => {
    await tamper(
      `INSERT INTO audit_entry SELECT nextval('audit_entry_id_seq'), hotel_id, ${seq}, at, actor_kind, actor_id, actor_name, door,
        address, request_id, action, entity, entity_id, before, after, prev_hash, hash FROM audit_entry WHERE ${row(1)}`,
    );
    expect(await chain()).toMatchObject({ entries: 9, brokenAt: seq });
  });

  it("continues behind a gap of any width, up to the highest number", async () => {
    await tamper(`UPDATE audit_entry SET seq = 9223372036854775807 WHERE ${row(8)}`);
    await tamper(`UPDATE audit_entry SET seq = 9000000000000000000 WHERE ${row(7)}`);
    expect(await chain()).toMatchObject({ entries: 8, brokenAt: "9000000000000000000", endMissing: true });
  });

  it("accepts entries that desks write meanwhile", async () => {
    const person = await server.createOperator(hotel, { role: "owner" });
    let calls = 0;
    const pool = {
      query: async (...statement: [string, unknown[]]) => {
        calls += 1;
        if (calls < 12) await server.loginAs(person);
        return server.database.pool.query(...statement);
      },
    };
    const reports = await verifyChains({ pool: pool as never }, box, BATCH);
    const report = reports.find(({ hotelId }) => hotelId === hotel.id);
    expect(report).toMatchObject({ brokenAt: null, endMissing: false });
    expect(report?.entries).toBeGreaterThan(8);
  });
});
