import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { manageClient, manageLogin } from "../../../../test/clients/manage-client.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, TEST_CIPHERS, TEST_PASSWORD, type TestServer } from "../../../../test/harness/server.ts";

let server: TestServer;
let hotel: TestHotel;
let owner: TestOperator;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await server.createHotel({ name: "Harbour" });
  owner = await server.createOperator(hotel, { role: "owner", apiKeyAuth: true });
});
afterAll(() => server.close());

describe("login", () => {
  it.each(TEST_CIPHERS)("returns the operator, with $name", async (cipher) => {
    const client = manageClient(server.app, { cipher, form: cipher.name === "des-cbc" });
    const data = await client.ok("login", { mobile: owner.account, password: TEST_PASSWORD });
    expect(data).toMatchObject({
      id: owner.id,
      role: "owner",
      apiKeyAuth: 1,
      hotel_id: hotel.id,
      hotel_name: "Harbour",
    });
    expect(data.token).toMatch(/^[\w-]{43}$/);
  });

  it("gives the same answer for an unknown account and a wrong password, in the caller's language", async () => {
    const client = manageClient(server.app, { language: "German", address: "10.1.1.1" });
    const wrong = await client.call("login", { mobile: owner.account, password: "wrong" });
    const unknown = await client.call("login", { mobile: "13899999999", password: "wrong" });
    expect(wrong).toEqual(unknown);
    expect(wrong.errno).toBe(100_002);
    expect(wrong.errmsg).toBe("Konto oder Passwort ist falsch.");
  });

  it("asks for the graphic code after three failures, and names a missing field", async () => {
    const client = manageClient(server.app, { address: "10.2.2.2" });
    for (let failure = 0; failure < 3; failure += 1)
      await client.call("login", { mobile: "13899999998", password: "x" });
    expect((await client.call("login", { mobile: "13899999998", password: "x" })).errno).toBe(100_004);
    const missing = await client.call("login", { mobile: "13899999998" });
    expect(missing.errno).toBe(100_001);
    expect(Object.keys((missing.data as { fields: object }).fields)).toEqual(["password"]);
    expect(missing.errmsg).toMatch(/^password: /);
  });
});

it("fields named like properties of Object, and unknown nested ones, are ignored", async () => {
  const client = await manageLogin(server, owner);
  for (const name of ["constructor", "toString", "hasOwnProperty"]) {
    expect((await client.call("captcha", { [name]: "" })).errno, name).toBe(0);
  }
  let deep: unknown = 1;
  for (let depth = 0; depth < 60; depth += 1) deep = [deep];
  const wrong = { old_password: "wrong", password: "another secret", confirm_password: "another secret" };
  expect((await client.call("setting/updatePassword", { ...wrong, unknown: deep })).errno).toBe(100_002);
});

describe("a session", () => {
  it("is listed with its channel, and its token is unknown after logout", async () => {
    const client = await manageLogin(server, owner);
    const desk = await server.loginAs(owner);
    expect((await desk.api.auth.sessions.query()).map(({ door }) => door)).toContain("manage");
    expect((await client.call("logout")).errno).toBe(0);
    expect((await client.call("logout")).errno).toBe(9_000_005);
  });

  it("can be ended in the console", async () => {
    const client = await manageLogin(server, owner);
    const desk = await server.loginAs(owner);
    for (const { id, door } of await desk.api.auth.sessions.query()) {
      if (door === "manage") await desk.api.auth.revokeSession.mutate({ id });
    }
    expect((await client.call("logout")).errno).toBe(9_000_005);
  });

  it("expires with 100003", async () => {
    const client = await manageLogin(server, owner);
    server.clock.advance(13 * 3_600_000);
    expect((await client.call("logout")).errno).toBe(100_003);
  });
});

describe("a repeated write", () => {
  it("is refused while the first one runs and for two seconds, but a failed one may be repeated", async () => {
    const clerk = await server.createOperator(hotel, { role: "administrator" });
    const client = await manageLogin(server, clerk);
    const change = { old_password: TEST_PASSWORD, password: "another secret", confirm_password: "another secret" };
    const wrong = { ...change, old_password: "wrong" };
    expect((await client.call("setting/updatePassword", wrong)).errno).toBe(100_002);
    expect((await client.call("setting/updatePassword", wrong)).errno).toBe(100_002);
    const answers = await Promise.all([1, 2, 3].map(() => client.call("setting/updatePassword", change)));
    expect(answers.map(({ errno }) => errno).sort((a, b) => a - b)).toEqual([0, 9_000_003, 9_000_003]);
    expect((await client.call("setting/updatePassword", change)).errno).toBe(9_000_003);
    server.clock.advance(2_001);
    expect((await client.call("setting/updatePassword", change)).errno).not.toBe(9_000_003);
  });
});
