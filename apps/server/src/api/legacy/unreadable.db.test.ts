import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestServer, TEST_CIPHERS, type TestServer } from "../../../test/harness/server.ts";
import { encrypt } from "./envelope.ts";

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

const [cipher] = TEST_CIPHERS;
const seal = (text: string): string => (cipher ? encrypt(cipher, text).toString("base64") : "");

async function post(payload: string | Buffer, type = "application/json"): Promise<{ status: number; body: string }> {
  const request = {
    method: "POST",
    url: "/manage/room/hotelInfo",
    headers: { "content-type": type },
    payload,
  } as const;
  const { statusCode, body } = await server.app.inject(request);
  return { status: statusCode, body };
}

const KINDS: Record<string, string> = {
  "nothing at all": "",
  "no JSON": "{",
  "a list": "[]",
  "no data": "{}",
  "data that is no text": JSON.stringify({ data: { data: "x" } }),
  "bad base64": JSON.stringify({ data: "!!!" }),
  "half a block": JSON.stringify({ data: Buffer.alloc(7).toString("base64") }),
  "bad padding": JSON.stringify({ data: randomBytes(32).toString("base64") }),
  "bad JSON inside": JSON.stringify({ data: seal("{") }),
  "a list inside": JSON.stringify({ data: seal("[1]") }),
  "no action": JSON.stringify({ data: seal("{}") }),
  "another action": JSON.stringify({ data: seal('{"action":"Manage"}') }),
  "deep nesting": JSON.stringify({ data: seal(`${"[".repeat(8_000)}`) }),
};

describe("an unreadable request", () => {
  it.each(Object.entries(KINDS))("with %s gets the same answer, which gives no reason", async (_kind, body) => {
    expect(await post(body)).toEqual({ status: 400, body: `{"error":"The request can't be read."}` });
  });

  it("gets that answer whatever its content type", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x"]) {
      expect((await post("data=%%%", type)).status).toBe(400);
    }
  });

  it("is not one whose field is named like a property of Object", async () => {
    for (const name of ["constructor", "toString", "__proto__"]) {
      const answer = await post(JSON.stringify({ data: seal(`{"action":"manage","${name}":""}`) }));
      expect(answer.status, name).toBe(200);
    }
  });

  it("is refused unread when it is too large", async () => {
    expect((await post(JSON.stringify({ data: "A".repeat(1024 * 1024) }))).status).toBe(413);
  });

  it("cannot change the prototype of objects", async () => {
    const polluted = seal('{"action":"manage","__proto__":{"token":"x"},"constructor":{"a":1}}');
    expect((await post(JSON.stringify({ data: polluted }))).status).toBe(200);
    expect(({} as { token?: string }).token).toBeUndefined();
  });
});
