import Fastify, { type FastifyInstance } from "fastify";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { registerErrorReplies } from "./error-replies.ts";
import { anyone, registerRoute, requireContracts } from "./route-contract.ts";

const number = z.string().regex(/^\d+$/).transform(Number);
const answers = { 200: z.object({ room: z.int() }), 201: { contentTypes: ["text/plain"] } } as const;
const ROOM = { method: "POST", url: "/rooms/:room", params: z.object({ room: number }), answers } as const;

let app: FastifyInstance;
/** What the handler of the test answers. */
let answered: unknown;

beforeEach(() => {
  app = Fastify();
  requireContracts(app);
  registerErrorReplies(app);
});

describe("a route", () => {
  it("without a contract prevents the server from starting", async () => {
    registerRoute(app, ROOM, { authenticate: anyone, handle: async () => ({ room: 1 }) });
    app.get("/forgotten", async () => "");
    await expect(app.ready()).rejects.toThrow("/forgotten has no contract");
  });

  it("authenticates the caller before it looks at the input", async () => {
    registerRoute(app, ROOM, {
      authenticate: () => Promise.reject(Object.assign(new Error(), { statusCode: 401 })),
      handle: async () => ({ room: 1 }),
    });
    expect((await app.inject({ method: "POST", url: "/rooms/x" })).statusCode).toBe(401);
  });

  it("receives parsed input, and invalid input is refused", async () => {
    const contract = { ...ROOM, query: z.object({ nights: number }), body: z.object({ name: z.string() }) } as const;
    let received: unknown;
    registerRoute(app, contract, {
      authenticate: anyone,
      async handle({ params, query, body }) {
        received = { params, query, body };
        return params;
      },
    });
    const send = async (url: string, payload: object) =>
      (await app.inject({ method: "POST", url, payload })).json() as unknown;
    expect(await send("/rooms/7?nights=2", { name: "Ann", more: 1 })).toEqual({ room: 7 });
    expect(received).toEqual({ params: { room: 7 }, query: { nights: 2 }, body: { name: "Ann" } });
    for (const [url, payload] of [
      ["/rooms/x?nights=2", { name: "Ann" }],
      ["/rooms/7", { name: "Ann" }],
      ["/rooms/7?nights=2", {}],
    ] as const) {
      expect(await send(url, payload)).toMatchObject({ code: "invalid_input" });
    }
  });

  it("answers not_found for a malformed part that only names something", async () => {
    registerRoute(app, { ...ROOM, names: ["params"] }, { authenticate: anyone, handle: async ({ params }) => params });
    expect((await app.inject({ method: "POST", url: "/rooms/x" })).json()).toMatchObject({ code: "not_found" });
  });

  it("sends only answers that its contract describes", async () => {
    registerRoute(app, ROOM, {
      authenticate: anyone,
      handle: async ({ reply, params }) => {
        reply.code(params.room);
        if (params.room === 201) reply.type("text/html");
        return answered as never;
      },
    });
    const call = async (status: number, answer: unknown) => {
      answered = answer;
      const { statusCode, body } = await app.inject({ method: "POST", url: `/rooms/${status}` });
      return [statusCode, body];
    };
    expect(await call(200, { room: 7, secret: "x" })).toEqual([200, '{"room":7}']);
    for (const [status, answer] of [
      [200, { room: "seven" }],
      [202, { room: 7 }],
      [202, "text"],
      [201, "text"],
      [201, { room: 7 }],
    ] as const) {
      const [statusCode, body] = await call(status, answer);
      expect([statusCode, JSON.parse(String(body)).code], JSON.stringify([status, answer])).toEqual([500, "internal"]);
    }
  });
});
