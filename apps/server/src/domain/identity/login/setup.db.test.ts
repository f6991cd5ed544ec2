import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestServer, failure, type TestServer } from "../../../../test/harness/server.ts";
import { secretsOf } from "../../../kernel/scope.ts";
import { verifyChains } from "../../compliance/audit/audit-chain.ts";

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

const input = (name: string) => ({
  hotel: { name, timeZone: "Asia/Kathmandu", currency: "NPR", language: "en" },
  owner: { name: "Olga", account: "olga@example.com", password: "first light at nine" },
});

it("refuses an owner's password that is easy to guess, at its field, and creates nothing", async () => {
  const create = (password: string) => {
    const { hotel, owner } = input("Haus Messing");
    return failure(server.visitor().api.setup.create.mutate({ hotel, owner: { ...owner, password } }));
  };
  for (const [password, key] of [
    ["Password1", "validation.passwordCommon"],
    ["HausMessing1", "validation.passwordKnown"],
    ["olga.20.26", "validation.passwordKnown"],
    ["olga@example.com", "validation.passwordKnown"],
    ["innkey99", "validation.passwordKnown"],
  ] as const) {
    expect(await create(password), password).toMatchObject({
      code: "invalid_input",
      fields: { "owner.password": { key } },
    });
  }
  expect(await server.database.prisma.hotel.count()).toBe(0);
});

it("creates the first hotel exactly once, however many requests try, and logs its owner in", async () => {
  expect(await server.visitor().api.auth.status.query()).toEqual({
    setupNeeded: true,
    session: null,
    due: null,
  });
  const browsers = Array.from({ length: 8 }, () => server.visitor());
  const outcomes = await Promise.allSettled(
    browsers.map(({ api }, index) => api.setup.create.mutate(input(`Hotel ${index}`))),
  );
  const winners = browsers.filter((_, index) => outcomes[index]?.status === "fulfilled");
  expect(winners).toHaveLength(1);
  expect(await server.database.prisma.hotel.count()).toBe(1);
  expect(await server.database.prisma.operator.count()).toBe(1);
  const status = await winners[0]?.api.auth.status.query();
  expect(status).toMatchObject({
    setupNeeded: false,
    session: { role: "owner", hotel: { timeZone: "Asia/Kathmandu", currency: "NPR" } },
  });
  expect((await failure(server.visitor().api.setup.create.mutate(input("Late")))).code).toBe("already_set_up");
  expect(await verifyChains(server.database, secretsOf(server.rootKey).audit)).toMatchObject([
    { entries: 2, brokenAt: null, endMissing: false },
  ]);
});

it("names every wrong field", async () => {
  const wrong = {
    hotel: { name: " ", timeZone: "Mars/Olympus", currency: "???" },
    owner: { name: "", account: "12", password: "123456" },
  };
  expect(Object.keys((await failure(server.visitor().api.setup.create.mutate(wrong))).fields ?? {}).sort()).toEqual([
    "hotel.currency",
    "hotel.name",
    "hotel.timeZone",
    "owner.account",
    "owner.name",
    "owner.password",
  ]);
});
