import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Browser } from "../../testing/browser.ts";
import { createTestServer, type TestServer } from "../../testing/server.ts";
import { checkChains, lastAuditCheck } from "./audit.jobs.ts";

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

it("says whether every chain is whole, and the owner reads it", async () => {
  expect(await lastAuditCheck(server.database)).toBeNull();
  await checkChains({ ...server, log });
  const checkedAt = server.clock.now();
  expect(await lastAuditCheck(server.database)).toEqual({ checkedAt, whole: true });
  const { journal, troubles } = await owner.api.system.status.query();
  expect([journal, troubles]).toEqual([{ checkedAt: checkedAt.toISOString(), whole: true }, []]);
  expect(lines).toEqual([]);
});

it("finds what was tampered with, and tells who looks after the console", async () => {
  // What only someone with the keys of the database can do: the triggers are off.
  await server.database.pool.query(`
    SET session_replication_role = replica;
    UPDATE audit_entry SET actor_name = 'Somebody else' WHERE action LIKE 'group%';
    RESET session_replication_role`);
  server.clock.advance(3_600_000);
  await checkChains({ ...server, log });
  expect(await lastAuditCheck(server.database)).toMatchObject({ whole: false });
  expect(lines.join("")).toContain("the journal's chain is broken");
  const { journal } = await owner.api.system.status.query();
  expect(journal).toMatchObject({ whole: false });
  await expect
    .poll(async () => (await owner.api.system.condition.query()).troubles.map(({ part }) => part), { timeout: 8_000 })
    .toEqual(["journal"]);
});
