import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { gatewayProgram } from "../clients/gateway-client.ts";
import { type ManageClient, manageClient } from "../clients/manage-client.ts";
import { type Browser, failure } from "../harness/browser.ts";
import type { TestOperator } from "../harness/people.ts";
import { createTestServer, TEST_PASSWORD, type TestServer } from "../harness/server.ts";
import { type FaultyLine, faultyLine, through } from "../processes/faulty-line.ts";

/** A hanging database is noticed by waiting in vain, which the test need not do for as long as a desk. */
const PATIENCE = { answerMs: 3_000, connectMs: 4_000 };

let seeded: TestServer;
let line: FaultyLine;
let server: TestServer;
let desk: Browser;
let old: ManageClient;
let owner: TestOperator;

beforeAll(async () => {
  seeded = await createTestServer();
  line = await faultyLine(Number(new URL(seeded.url).port));
  server = await createTestServer({
    beside: { url: through(seeded.url, line.port), dataDir: seeded.dataDir },
    patience: PATIENCE,
  });
  const hotel = await seeded.createHotel();
  owner = await seeded.createOperator(hotel, { role: "owner" });
  desk = await server.loginAs(owner);
  old = manageClient(server.app);
  const { token } = await old.ok<{ token: string }>("login", { mobile: owner.account, password: TEST_PASSWORD });
  old.token = token;
});
afterEach(() => line.restore());
afterAll(async () => {
  await server.close();
  await seeded.close();
  await line.close();
});

const save = (name: string) => desk.api.rooms.save.mutate({ name, groupId: null });

async function everyDoorSays(unavailable: boolean): Promise<void> {
  const status = unavailable ? 503 : 200;
  const code = unavailable ? { code: "unavailable" } : expect.anything();
  const [board, program, answer, alive] = await Promise.all([
    desk.http("GET", "/api/board"),
    gatewayProgram(server).post("/auth/login", { account: owner.account, password: TEST_PASSWORD }),
    old.call("room/hotelInfo"),
    server.app.inject("/healthz"),
  ]);
  expect([board.statusCode, board.json()]).toEqual([
    status,
    unavailable ? expect.objectContaining(code as object) : code,
  ]);
  expect(program.code).toBe(status);
  expect(answer.errno).toBe(unavailable ? 100_000 : 0);
  if (unavailable) expect(answer.errmsg).toBe("The system is busy. Try again in a moment.");
  expect(alive.statusCode).toBe(200);
}

it("answers that it is busy while the database refuses connections, and continues when it returns", async () => {
  await save("101");
  await line.cut();
  expect(await failure(desk.api.rooms.page.query({}))).toMatchObject({ code: "unavailable" });
  expect(await failure(save("102"))).toMatchObject({ code: "unavailable" });
  await everyDoorSays(true);
  expect((await desk.http("GET", "/api/events")).statusCode).toBe(503);
  await line.restore();
  await save("103");
  await everyDoorSays(false);
  const { rows } = await desk.api.rooms.page.query({});
  expect(rows.map(({ name }) => name)).toEqual(["101", "103"]);
});

it("answers that it is busy while the database hangs, and continues when it returns", async () => {
  const before = (await desk.api.rooms.page.query({})).rows.map(({ name }) => name);
  line.hang();
  const [read, written] = await Promise.all([
    failure(desk.api.rooms.page.query({})),
    failure(save("201")),
    everyDoorSays(true),
  ]);
  expect([read.code, written.code]).toEqual(["unavailable", "unavailable"]);
  await line.restore();
  await save("202");
  await everyDoorSays(false);
  const { rows } = await desk.api.rooms.page.query({});
  expect(rows.map(({ name }) => name)).toEqual([...before, "202"]);
});
