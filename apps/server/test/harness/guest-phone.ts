import { tmpdir } from "node:os";
import type { GuestPage } from "@innkey/shared/schemas/overview/guest-page";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { expect } from "vitest";
import { createLogger } from "../../src/adapters/telemetry/logger.ts";
import { GUEST_COOKIE } from "../../src/api/guest/guest-cookie.ts";
import { createGuestServer } from "../../src/api/guest/guest-server.ts";
import { GUEST_URL, type TestServer } from "./server.ts";

/** Creates the server of guests' pages beside a console. */
export async function openGuestServer(
  { services }: Pick<TestServer, "services">,
  log = createLogger("silent"),
): Promise<FastifyInstance> {
  const app = await createGuestServer({
    ...{ services, log, trustProxy: true },
    ...{ guestUrl: GUEST_URL, webDirectory: tmpdir() },
  });
  await app.ready();
  return app;
}

/** A guest's phone, which keeps its cookie. */
export class GuestPhone {
  cookie: string | undefined;
  readonly #app: FastifyInstance;

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  async post(path: string, body: object, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
    const own = { host: "stay.example", origin: GUEST_URL, "x-innkey": "1", "x-forwarded-for": "10.1.0.1" };
    const jar = this.cookie === undefined ? {} : { cookie: `__Host-${GUEST_COOKIE}=${this.cookie}` };
    const options = { payload: body, headers: { ...own, ...jar, ...headers } };
    const response = await this.#app.inject({ method: "POST", url: `/api/${path}`, ...options });
    this.cookie = response.cookies.find(({ name }) => name === `__Host-${GUEST_COOKIE}`)?.value ?? this.cookie;
    return response;
  }

  async page(token: string): Promise<GuestPage> {
    const response = await this.post("page", { token });
    expect(response.statusCode, response.body).toBe(200);
    return response.json();
  }

  async prove(answer: string, token: string): Promise<string> {
    return (await this.post("proof", { token, answer })).json().outcome;
  }
}
