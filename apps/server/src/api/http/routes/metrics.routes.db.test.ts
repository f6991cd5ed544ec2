import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
// Registers the queue's measures, because test servers have no queue.
import "../../../adapters/queue/queue.ts";
import { measured, parseMetrics, type Sample } from "../../../../test/clients/scrape.ts";
import { createTestServer, failure, type TestServer } from "../../../../test/harness/server.ts";

const TOKEN = "read-only-for-prometheus";
const WAIT = { timeout: 15_000, interval: 50 };
let server: TestServer;
let guarded: TestServer;
let url: string;
/** Requests that earlier test files of this process have left unanswered; the measures are the process's. */
let unansweredCount: number;
beforeAll(async () => {
  server = await createTestServer({ trustProxy: false });
  guarded = await createTestServer({ metricsToken: TOKEN });
  url = await server.listen();
  unansweredCount = measured(await scrape(), "innkey_http_requests_in_flight") - 1;
});
afterAll(async () => {
  await server.close();
  await guarded.close();
});

async function scrape(): Promise<Sample[]> {
  const response = await fetch(`${url}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return parseMetrics(await response.text());
}

/** Requests are counted after their answers have left: no other one is in flight when this scrape is taken. */
const scrapeAtRest = () =>
  vi.waitFor(async () => {
    const samples = await scrape();
    expect(measured(samples, "innkey_http_requests_in_flight")).toBeLessThanOrEqual(unansweredCount + 1);
    return samples;
  }, WAIT);

const requests = (samples: readonly Sample[], route: string, status: number): number =>
  measured(samples, "innkey_http_request_duration_seconds_count", { route, status: String(status) });

describe("a scrape", () => {
  it("counts requests by route and procedures by name", async () => {
    const before = await scrapeAtRest();
    await fetch(`${url}/api/trpc/auth.status`, { headers: { "x-innkey": "1" } });
    await fetch(`${url}/api/trpc/auth.status,auth.me?batch=1`, { headers: { "x-innkey": "1" } });
    const after = await scrapeAtRest();
    const requestsSince = (route: string, status: number) =>
      requests(after, route, status) - requests(before, route, status);
    expect(requestsSince("/api/trpc/auth.status", 200)).toBe(1);
    expect(requestsSince("/api/trpc/(several)", 207)).toBe(1);
    const answered = { procedure: "auth.status", outcome: "answered" };
    const procedures = (samples: readonly Sample[], labels: Record<string, string>) =>
      measured(samples, "innkey_procedure_duration_seconds_count", labels);
    expect(procedures(after, answered) - procedures(before, answered)).toBe(2);
    const refused = { procedure: "auth.me", outcome: "refused" };
    expect(procedures(after, refused) - procedures(before, refused)).toBe(1);
  });

  it("contains figures for the process, its pool, the queue and the locks", async () => {
    const samples = await scrape();
    const names = new Set(samples.map(({ name }) => name));
    for (const name of [
      "innkey_build_info",
      "innkey_event_streams_open",
      "innkey_http_requests_in_flight",
      "innkey_last_backup_timestamp_seconds",
      "innkey_live_events_gaps_total",
      "innkey_live_events_listening",
      "innkey_lock_commands_waiting",
      "innkey_locks",
      "innkey_nodejs_eventloop_lag_seconds",
      "innkey_nodejs_heap_size_used_bytes",
      "innkey_pg_pool_connections",
      "innkey_pg_pool_waiting",
      "innkey_process_cpu_seconds_total",
      "innkey_queue_up",
      "innkey_unlock_events_total",
    ]) {
      expect(names, name).toContain(name);
    }
    expect(measured(samples, "innkey_live_events_listening", { via: "postgresql" })).toBe(1);
    expect(measured(samples, "innkey_queue_up")).toBe(1);
    // The request for the metrics itself is always among them.
    expect(measured(await scrapeAtRest(), "innkey_http_requests_in_flight")).toBeGreaterThanOrEqual(1);
  });

  it("passes Prometheus' own checker", async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
    expect(`${stdout}${stderr}`).toBe("");
    expect(status).toBe(0);
  });

  it("contains only metrics that the documentation names", async () => {
    const documented = readFileSync(
      new URL("../../../../../../docs/operators/observability.md", import.meta.url),
      "utf8",
    );
    const text = await (await fetch(`${url}/metrics`)).text();
    const families = [...text.matchAll(/^# TYPE (innkey_\w+) /gm)].map(([, name]) => name ?? "");
    const ours = families.filter((name) => !/^innkey_(nodejs|process)_/.test(name));
    expect(ours.length).toBeGreaterThan(15);
    for (const name of ours) expect(documented, name).toContain(`\`${name}\``);
  });

  it("contains every metric that the example rules and the dashboard use", async () => {
    const folder = new URL("../../../../../../docs/operators/observability/", import.meta.url);
    const alerts = readFileSync(new URL("alerts.yml", folder), "utf8");
    const dashboard = readFileSync(new URL("dashboard.json", folder), "utf8");
    const { groups } = parse(alerts) as { groups: { rules: { expr: string }[] }[] };
    const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] };
    const queriedNames = [...groups.flatMap(({ rules }) => rules), ...panels.flatMap(({ targets }) => targets)]
      .flatMap(({ expr }) => expr.match(/innkey_\w+/g) ?? [])
      .map((name) => name.replace(/_(bucket|count|sum)$/, ""));
    expect(queriedNames.length).toBeGreaterThan(20);
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const name of queriedNames) expect(text, name).toMatch(new RegExp(`^# TYPE ${name} `, "m"));
    expect(parse(readFileSync(new URL("prometheus.yml", folder), "utf8"))).toHaveProperty("scrape_configs");
  });

  it("creates no additional series, whatever strangers request", async () => {
    const headers = { "x-innkey": "1" };
    const turn = async (n: number): Promise<void> => {
      await fetch(`${url}/${n}/random`);
      await fetch(`${url}/api/${n}`);
      await fetch(`${url}/api/trpc/r${n}.andom`, { headers });
      await fetch(`${url}/api/trpc/auth.status${n},x?batch=1`, { headers });
      await requestStatus(["COPY", "MKCOL", "REPORT", "SUBSCRIBE"][n % 4] ?? "", `/${n}`);
    };
    await turn(0);
    const before = (await scrapeAtRest()).length;
    for (let n = 1; n < 30; n += 1) await turn(n);
    expect((await scrapeAtRest()).length).toBe(before);
  });

  it("counts a wrong password", async () => {
    const failed = async () => measured(await scrape(), "innkey_logins_failed_total", { channel: "console" });
    const before = await failed();
    const login = server.visitor().api.auth.login.mutate({ account: "13800001111", password: "not the one" });
    expect(await failure(login)).toMatchObject({ code: "credentials_wrong" });
    expect(await failed()).toBe(before + 1);
  });

  it("queries the database once in five seconds, however many scrapes there are", async () => {
    let calls = 0;
    const rows = server.watch.rows;
    server.watch.rows = (text, values) => {
      if (text.includes("FROM lock ")) calls += 1;
      return rows(text, values);
    };
    await Promise.all(Array.from({ length: 20 }, scrape));
    expect(calls).toBeLessThanOrEqual(1);
  });
});

describe("access to the metrics", () => {
  const read = (from: TestServer, headers: Record<string, string> = {}, remoteAddress = "127.0.0.1") =>
    from.app.inject({ method: "GET", url: "/metrics", headers, remoteAddress });

  it("is allowed from this machine, where no token is set", async () => {
    for (const address of ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"]) {
      expect((await read(server, {}, address)).statusCode, address).toBe(200);
    }
    for (const address of ["10.0.0.4", "::ffff:10.0.0.4", "2001:db8::1", "192.168.127.1"]) {
      const response = await read(server, {}, address);
      expect([response.statusCode, response.json().code], address).toEqual([404, "not_found"]);
    }
  });

  it("is refused through a proxy, even on this machine", async () => {
    for (const name of ["x-forwarded-for", "x-real-ip", "forwarded", "via"]) {
      expect((await read(server, { [name]: "127.0.0.1" })).statusCode, name).toBe(404);
    }
    const behind = await createTestServer({ trustProxy: true });
    expect((await read(behind)).statusCode).toBe(404);
    await behind.close();
  });

  it("is allowed with the token from anywhere", async () => {
    expect((await read(guarded, { authorization: `Bearer ${TOKEN}` }, "10.0.0.4")).statusCode).toBe(200);
    for (const authorization of ["", "Bearer", `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, "Bearer x"]) {
      expect((await read(guarded, { authorization })).statusCode, authorization).toBe(404);
    }
  });
});

function requestStatus(method: string, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    sent.on("error", reject).end();
  });
}
