import dns from "node:dns";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { selfSigned } from "../../../test/processes/foreign-servers.ts";
import { NoAddress, postOutside } from "./outside-request.ts";

/** A server in the hotel's network that redirects every request to a cloud's metadata service. */
let server: Server;
let url: URL;
const headersSeen: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    headersSeen.push(request.headers);
    request.resume();
    response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = new URL(`http://localhost:${(server.address() as AddressInfo).port}/hook`);
});
afterAll(() => server.close());

const post = (to: URL, mayReach: (address: string) => boolean) =>
  postOutside(to, { headers: { "x-mark": "1" }, body: "{}" }, { mayReach, signal: AbortSignal.timeout(5000) });

it("connects to the address that was checked and sends the original host name", async () => {
  const judged: string[] = [];
  const answer = await post(url, (address) => {
    judged.push(address);
    return address === "127.0.0.1";
  });
  answer.resume();
  expect(judged).toContain("127.0.0.1");
  expect(answer.socket.remoteAddress).toBe("127.0.0.1");
  expect(headersSeen.at(-1)).toMatchObject({ host: url.host, "x-mark": "1" });
});

it("stops waiting for the name server when the request times out", async () => {
  const lookup = vi.spyOn(dns, "lookup").mockImplementation((() => undefined) as unknown as typeof dns.lookup);
  try {
    const patience = new AbortController();
    const waiting = postOutside(url, { headers: {}, body: "{}" }, { mayReach: () => true, signal: patience.signal });
    patience.abort(new DOMException("too late", "TimeoutError"));
    await expect(waiting).rejects.toMatchObject({ name: "TimeoutError" });
    expect(lookup).toHaveBeenCalledOnce();
  } finally {
    lookup.mockRestore();
  }
});

it("does not follow redirects", async () => {
  const before = headersSeen.length;
  const answer = await post(url, () => true);
  answer.resume();
  expect(answer.statusCode).toBe(302);
  expect(headersSeen.length).toBe(before + 1);
});

it("sends nothing to a forbidden address, and reports a name without an address differently", async () => {
  const before = headersSeen.length;
  await expect(post(url, () => false)).rejects.toEqual(expect.objectContaining({ hasAddress: true }));
  await expect(post(new URL("http://nothing.invalid/"), () => true)).rejects.toEqual(
    expect.objectContaining({ hasAddress: false }),
  );
  expect(headersSeen.length).toBe(before);
  await expect(post(url, () => false)).rejects.toBeInstanceOf(NoAddress);
});

it("sends nothing to a host whose certificate no authority has signed", async () => {
  let requestCount = 0;
  const posing = createTlsServer(await selfSigned(new Date("2126-10-29T05:44:20Z")), (_request, response) => {
    requestCount += 1;
    response.end();
  });
  await new Promise<void>((resolve) => posing.listen(0, "127.0.0.1", resolve));
  try {
    const to = new URL(`https://localhost:${(posing.address() as AddressInfo).port}/hook`);
    await expect(post(to, () => true)).rejects.toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    expect(requestCount).toBe(0);
  } finally {
    posing.close();
  }
});

it("does not send the user name and password of a URL", async () => {
  const hostUrl = new URL(url);
  hostUrl.username = "user";
  hostUrl.password = "secret";
  (await post(hostUrl, () => true)).resume();
  expect(JSON.stringify(headersSeen.at(-1))).not.toMatch(/secret|authorization/);
});
