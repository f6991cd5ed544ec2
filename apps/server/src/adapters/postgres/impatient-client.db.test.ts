import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestDatabase } from "../../../test/harness/database.ts";
import { type FaultyLine, faultyLine, through } from "../../../test/processes/faulty-line.ts";
import { connectDatabase, type Database } from "./client.ts";

const ANSWER_MS = 300;

let own: { url: string; drop(): Promise<void> };
let line: FaultyLine;
let direct: Database;
let database: Database;

beforeEach(async () => {
  own = await createTestDatabase();
  line = await faultyLine(Number(new URL(own.url).port));
  direct = connectDatabase(own.url, 1, () => undefined);
  await direct.pool.query("CREATE TABLE note (text text)");
  database = connectDatabase(through(own.url, line.port), 1, () => undefined, ANSWER_MS);
});
afterEach(async () => {
  await line.restore();
  await database.close();
  await direct.close();
  await line.close();
  await own.drop();
});

const notes = async (): Promise<string[]> =>
  (await direct.pool.query<{ text: string }>("SELECT text FROM note ORDER BY text")).rows.map(({ text }) => text);

it("gives up on an unanswered statement and closes its connection", async () => {
  await database.pool.query("SELECT 1");
  line.hang();
  await expect(database.pool.query("SELECT 1")).rejects.toThrow("did not answer");
  await line.restore();
  expect((await database.pool.query<{ one: number }>("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});

it("lets nobody write into a transaction that was abandoned", async () => {
  await database.prisma.$queryRaw`SELECT 1`;
  const halfDone = database.prisma.$transaction(async (tx) => {
    await tx.$executeRaw`INSERT INTO note VALUES ('given up')`;
    line.hang();
    await tx.$executeRaw`INSERT INTO note VALUES ('never answered')`;
  });
  await expect(halfDone).rejects.toThrow();
  await line.restore();
  await database.prisma.$executeRaw`INSERT INTO note VALUES ('alone')`;
  await database.prisma.$transaction(async (tx) => {
    await tx.$executeRaw`INSERT INTO note VALUES ('together')`;
  });
  expect(await notes()).toEqual(["alone", "together"]);
});

it("does not time out cursors, copies and statements with a limit of their own", async () => {
  const client = await database.pool.connect();
  const slow = { text: "SELECT pg_sleep(1)", query_timeout: 10_000 };
  await expect(client.query(slow)).resolves.toMatchObject({ rowCount: 1 });
  client.release();
  await expect(database.pool.query("SELECT pg_sleep(1)")).rejects.toThrow("did not answer");
});
