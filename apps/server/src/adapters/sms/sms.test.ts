import { createServer, type Server } from "node:http";
import { afterEach, expect, it } from "vitest";
import { webhookSms } from "./sms.ts";

let server: Server | undefined;
afterEach(() => server?.close());

async function gateway(status: number, bodies: string[]): Promise<string> {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    bodies.push(`${request.method} ${request.headers["content-type"]} ${body}`);
    response.writeHead(status).end("thanks");
  });
  const listening = server;
  await new Promise<void>((ready) => listening.listen(0, "127.0.0.1", ready));
  const address = listening.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/sms`;
}

it("posts number and text as JSON", async () => {
  const bodies: string[] = [];
  await webhookSms(await gateway(202, bodies)).send({ to: "+4915228817001", text: "482913 – ключ" });
  expect(bodies).toEqual(['POST application/json {"to":"+4915228817001","text":"482913 – ключ"}']);
});

it("fails when the gateway refuses or is not reachable", async () => {
  const url = await gateway(503, []);
  await expect(webhookSms(url).send({ to: "1", text: "x" })).rejects.toThrow("SMS gateway answered 503");
  server?.close();
  server = undefined;
  await expect(webhookSms("http://127.0.0.1:9/sms").send({ to: "1", text: "x" })).rejects.toThrow();
});
