import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestHotel, TestOperator } from "../../testing/people.ts";
import { createTestServer, failure, type TestServer } from "../../testing/server.ts";
import { verifyChains } from "./verification.ts";

let server: TestServer;
let hotel: TestHotel;
let owner: TestOperator;
beforeAll(async () => {
  server = await createTestServer();
  hotel = await server.createHotel();
  owner = await server.createOperator(hotel, { role: "owner" });
  for (let logins = 0; logins < 5; logins += 1) await server.loginAs(owner);
});
afterAll(() => server.close());

const reportOf = async () => (await verifyChains(server.database)).find(({ hotelId }) => hotelId === hotel.id);

/** What only someone with the keys of the database can do: the triggers are off. */
async function tamper(sql: string): Promise<void> {
  const client = await server.database.pool.connect();
  try {
    await client.query(`SET session_replication_role = replica; ${sql}; RESET session_replication_role`);
  } finally {
    client.release();
  }
}

describe("the journal", () => {
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

  it("is for owners and administrators of its hotel", async () => {
    const clerk = await server.loginAs(
      await server.createOperator(hotel, { role: "staff", capabilities: ["rooms.view"] }),
    );
    expect((await failure(clerk.api.audit.list.query({}))).code).toBe("no_permission");
    const stranger = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
    expect((await stranger.api.audit.list.query({})).rows.map(({ seq }) => seq)).toEqual(["1"]);
  });

  it("can't be changed or deleted", async () => {
    const { pool } = server.database;
    await expect(pool.query("UPDATE audit_entry SET action = 'x'")).rejects.toThrow(/append-only/);
    await expect(pool.query("DELETE FROM audit_entry")).rejects.toThrow(/append-only/);
    await expect(pool.query("TRUNCATE audit_entry")).rejects.toThrow(/append-only/);
  });
});

describe("verifying the chain", () => {
  it("finds it whole, then finds a changed row, a missing row and a cut end", async () => {
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
