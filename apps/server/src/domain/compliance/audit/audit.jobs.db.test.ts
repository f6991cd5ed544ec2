import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "../../../../test/harness/browser.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";
import { secretsOf } from "../../../kernel/scope.ts";
import { checkChains, lastAuditCheck, recordHeads } from "./audit.service.ts";
import { findMissingHeads, readLoggedHeads } from "./audit-chain.ts";

const lines: string[] = [];
const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
let server: TestServer;
let owner: Browser;
beforeAll(async () => {
  server = await createTestServer();
  owner = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
  await owner.api.groups.save.mutate({ name: "North", sort: 1 });
});
afterAll(() => server.close());

const deps = () => ({ ...server, log, secrets: secretsOf(server.rootKey) });

it("reports whether every chain is whole, and the owner can read it", async () => {
  expect(await lastAuditCheck(server.database)).toBeNull();
  await checkChains(deps());
  const checkedAt = server.clock.now();
  expect(await lastAuditCheck(server.database)).toEqual({ checkedAt, whole: true });
  const { journal: auditCheck, troubles } = await owner.api.system.status.query();
  expect([auditCheck, troubles]).toEqual([{ checkedAt: checkedAt.toISOString(), whole: true }, []]);
  expect(lines.join("")).not.toContain("broken");
});

it("finds tampering, and reports it as a fault of the installation", async () => {
  // Only a database administrator can disable the triggers.
  await server.database.pool.query(`
    SET session_replication_role = replica;
    UPDATE audit_entry SET actor_name = 'Somebody else' WHERE action LIKE 'group%';
    RESET session_replication_role`);
  server.clock.advance(3_600_000);
  await checkChains(deps());
  expect(await lastAuditCheck(server.database)).toMatchObject({ whole: false });
  expect(lines.join("")).toContain("the audit chain is broken");
  const { journal: auditCheck } = await owner.api.system.status.query();
  expect(auditCheck).toMatchObject({ whole: false });
  await expect
    .poll(async () => (await owner.api.system.condition.query()).troubles.map(({ part }) => part), { timeout: 8_000 })
    .toEqual(["journal"]);
});

/**
 * An attacker with full database access but without the console's keys; all chains are consistent again after the
 * attack.
 */
describe("a tampering owner of the database", () => {
  const REHASH = `
    DO $$ DECLARE h record; e audit_entry; before bytea; BEGIN
      FOR h IN SELECT hotel_id FROM hotel_state LOOP
        before := decode(repeat('00', 32), 'hex');
        FOR e IN SELECT * FROM audit_entry WHERE hotel_id = h.hotel_id ORDER BY seq LOOP
          e.prev_hash := before; e.hash := audit_hash(e); before := e.hash;
          UPDATE audit_entry SET prev_hash = e.prev_hash, hash = e.hash WHERE id = e.id;
        END LOOP;
        UPDATE hotel_state SET audit_hash = before WHERE hotel_id = h.hotel_id;
      END LOOP;
    END $$`;
  const CUT = `
    DELETE FROM audit_entry e USING hotel_state s WHERE s.hotel_id = e.hotel_id AND e.seq > 1;
    UPDATE hotel_state s SET audit_seq = e.seq, audit_hash = e.hash FROM audit_entry e WHERE e.hotel_id = s.hotel_id`;
  const CONSTANT = `
    CREATE OR REPLACE FUNCTION audit_hash(entry audit_entry) RETURNS bytea LANGUAGE sql IMMUTABLE
      AS $$ SELECT decode(repeat('ab', 32), 'hex') $$`;

  it.each([
    ["deletes the newest entries and resets the state", CUT],
    ["rewrites an entry and recomputes the whole chain", `UPDATE audit_entry SET actor_name = 'x'; ${REHASH}`],
    [
      "deletes the whole audit log",
      "DELETE FROM audit_entry; UPDATE hotel_state SET audit_seq = 0, audit_hash = decode(repeat('00', 32), 'hex')",
    ],
    ["replaces the hash function by a constant", `${CONSTANT}; ${REHASH}`],
    ["deletes the state of a hotel", "DELETE FROM hotel_state"],
    ["writes another head", "UPDATE audit_head SET heads_box = decode(repeat('ab', 40), 'hex')"],
  ])("is detected who %s", async (_what, sql) => {
    const server = await createTestServer();
    try {
      const hotel = await server.createHotel();
      const desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
      await desk.api.groups.save.mutate({ name: "North", sort: 1 });
      const secrets = secretsOf(server.rootKey);
      await recordHeads({ ...server, log, secrets });
      await desk.api.groups.save.mutate({ name: "South", sort: 2 });
      await recordHeads({ ...server, log, secrets });
      await checkChains({ ...server, log, secrets });
      expect(await lastAuditCheck(server.database)).toMatchObject({ whole: true });
      await server.database.pool.query(
        `SET session_replication_role = replica; ${sql}; RESET session_replication_role`,
      );
      lines.length = 0;
      await recordHeads({ ...server, log, secrets });
      await checkChains({ ...server, log, secrets });
      expect(await lastAuditCheck(server.database)).toMatchObject({ whole: false });
      expect(lines.join("")).toContain("the audit chain is broken");
      await checkChains({ ...server, log, secrets });
      expect(await lastAuditCheck(server.database), "by every later check too").toMatchObject({ whole: false });
    } finally {
      await server.close();
    }
  });

  it.each([
    ["restores an older head with the audit log of its time", "UPDATE audit_head SET heads_box = $1"],
    ["deletes the head", "DELETE FROM audit_head WHERE heads_box <> $1"],
  ])("is detected in the server's log who %s", async (_what, sql) => {
    const logged: string[] = [];
    const logger = pino({ level: "warn" }, { write: (line: string) => void logged.push(`worker-1  | ${line}`) });
    const server = await createTestServer();
    try {
      const hotel = await server.createHotel();
      const desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
      const deps = { ...server, log: logger, secrets: secretsOf(server.rootKey) };
      const { pool } = server.database;
      await recordHeads(deps);
      const { rows } = await pool.query<{ box: Buffer; seq: string }>(
        "SELECT heads_box AS box, audit_seq::text AS seq FROM audit_head, hotel_state WHERE hotel_id = $1",
        [hotel.id],
      );
      const [recorded] = rows;
      if (!recorded) throw new Error("No head was recorded.");
      await desk.api.groups.save.mutate({ name: "South", sort: 2 });
      await recordHeads(deps);
      const heads = await readLoggedHeads([...logged, "{", `{"msg":"where the journal stands","hotelId":1}`]);
      expect([heads.length, await findMissingHeads(pool, heads)]).toEqual([2, []]);
      const client = await pool.connect();
      await client.query("SET session_replication_role = replica");
      await client.query("DELETE FROM audit_entry WHERE hotel_id = $1 AND seq > $2::bigint", [hotel.id, recorded.seq]);
      await client.query(
        `UPDATE hotel_state s SET audit_seq = e.seq, audit_hash = e.hash FROM audit_entry e
          WHERE s.hotel_id = $1 AND e.hotel_id = $1 AND e.seq = $2::bigint`,
        [hotel.id, recorded.seq],
      );
      await client.query(sql, [recorded.box]);
      await client.query("RESET session_replication_role");
      client.release();
      await checkChains(deps);
      expect(await lastAuditCheck(server.database), "the database alone is consistent").toMatchObject({ whole: true });
      expect(await findMissingHeads(pool, heads)).toEqual([heads[1]]);
    } finally {
      await server.close();
    }
  });
});
