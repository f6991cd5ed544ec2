import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config.ts";
import {
  type ComposeFile,
  type ComposeService,
  composeConfig,
  composePlugins,
  composeText,
  mountsOf,
  REPOSITORY,
  readCompose,
} from "../processes/compose-file.ts";

/** Checks docker-compose.yml with Docker Compose itself, in the oldest supported version and a current one. */
const FETCH_MS = 300_000;
/** Services that finish their work and exit. */
const ONCE = ["secrets", "migrate", "restore", "bucket"];
const OURS = [...ONCE, "web", "worker"];
const LASTING = ["web", "worker", "postgres", "redis", "mosquitto", "caddy", "store"];
const read = (path: string): string => readFileSync(join(REPOSITORY, path), "utf8");

let plugins: string[];
let current: string;
let file: ComposeFile;
beforeAll(async () => {
  plugins = await composePlugins();
  current = plugins.at(-1) ?? "";
  file = await readCompose(current);
}, FETCH_MS);

const service = (name: string): ComposeService => {
  const service = file.services[name];
  if (!service) throw new Error(`no service ${name}`);
  return service;
};

/** All settings of .env.example at once. */
const EVERYTHING = Object.fromEntries(
  [...read(".env.example").matchAll(/^#([A-Z][A-Z0-9_]*)=(.+)$/gm)].map(([, name = "", value = ""]) => [name, value]),
);

it("is accepted without a warning by the oldest supported and a current Docker Compose", async () => {
  expect(plugins.length).toBe(2);
  for (const plugin of plugins) {
    for (const settings of [{}, EVERYTHING]) {
      const { stdout, stderr } = await composeConfig(plugin, settings, "--quiet");
      expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "" });
    }
    expect(await readCompose(plugin)).toEqual(file);
  }
  await expect(composeConfig(current, { INNKEY_PORT: "none" }, "--quiet")).rejects.toThrow();
});

it("has these services and no others", () => {
  expect(Object.keys(file.services).sort()).toEqual([...ONCE, ...LASTING].sort());
});

describe.each([...ONCE, ...LASTING])("%s", (name) => {
  it("is confined: no privileges, limited resources, and no writing except where necessary", () => {
    const { read_only, cap_drop, security_opt, init, user, deploy, logging, tmpfs } = service(name);
    expect({ read_only, cap_drop, security_opt, init }).toEqual({
      ...{ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"], init: true },
    });
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    const { cpus, memory, pids } = deploy?.resources?.limits ?? {};
    expect(cpus).toBeGreaterThan(0);
    expect(Number(memory)).toBeGreaterThan(0);
    expect(pids).toBeGreaterThan(0);
    expect(logging?.options["max-size"]).toBeDefined();
    expect(tmpfs?.every((mount) => mount.includes("size="))).toBe(true);
  });

  it("uses an image of one exact version", () => {
    expect(service(name).image).toMatch(/^[\w/-]+:v?\d+\.\d+[\w.-]*$/);
    expect(service(name).image).not.toMatch(/latest|nightly/);
  });

  it("waits for its dependencies to be healthy or completed, and mounts existing files", () => {
    const { depends_on = {}, profiles, networks = {} } = service(name);
    for (const [other, { condition }] of Object.entries(depends_on)) {
      expect(condition).toBe(ONCE.includes(other) ? "service_completed_successfully" : "service_healthy");
      // A service may depend only on services that its own profiles also start.
      expect((service(other).profiles ?? []).filter((profile) => !profiles?.includes(profile))).toEqual([]);
    }
    for (const [source] of mountsOf(service(name))) {
      if (source.startsWith("./")) expect(existsSync(join(REPOSITORY, source))).toBe(true);
      else expect(Object.keys(file.volumes)).toContain(source);
    }
    for (const network of Object.keys(networks)) expect(Object.keys(file.networks)).toContain(network);
  });
});

describe.each(LASTING)("%s", (name) => {
  it("restarts when it ends, and has a health check", () => {
    const { restart, healthcheck, stop_grace_period } = service(name);
    expect(restart).toBe("unless-stopped");
    expect(healthcheck?.test?.[0]).toBe("CMD");
    expect(healthcheck?.retries).toBeGreaterThan(0);
    expect(stop_grace_period).toMatch(/^(\d+(s|m|h))+$/);
  });
});

describe.each(OURS)("%s", (name) => {
  it("sets only settings that the server knows, with valid values", () => {
    const env = service(name).environment ?? {};
    if (name === "secrets") {
      // This service gets only names for the broker's certificate, no settings of the server.
      expect(Object.keys(env)).toEqual(["LOCKS_ADDRESS", "MQTT_PUBLIC_URL"]);
      return;
    }
    const settings = [...read("apps/server/src/config.ts").matchAll(/^ {2}([A-Z][A-Z0-9_]+): z/gm)].map(
      ([, one]) => one,
    );
    expect(settings.length).toBeGreaterThan(40);
    for (const setting of Object.keys(env)) expect(settings).toContain(setting.replace(/_FILE$/, ""));
  });

  it("runs the image's program as the image's user", () => {
    const { entrypoint, command, user, image } = service(name);
    const dockerfile = read("Dockerfile");
    const own = JSON.parse(/^CMD (.+)$/m.exec(dockerfile)?.[1] ?? "[]") as string[];
    const script = (entrypoint ?? command ?? own).find((word) => word.endsWith(".js"));
    const source = script?.replace("/dist/", "/src/").replace(/\.js$/, ".ts") ?? "";
    expect(existsSync(join(REPOSITORY, source))).toBe(true);
    expect(dockerfile).toMatch(new RegExp(`^USER ${user}$`, "m"));
    expect(image).toBe(`innkey:${JSON.parse(read("package.json")).version}`);
  });
});

it("builds one image once, and pulls it from no registry", () => {
  const built = Object.entries(file.services).filter(([, { build }]) => build !== undefined);
  expect(built.map(([name]) => name)).toEqual(["secrets"]);
  expect(OURS.map((name) => service(name).pull_policy)).toEqual(OURS.map(() => "never"));
  expect(new Set(OURS.map((name) => service(name).image)).size).toBe(1);
});

it("keeps every secret in files, in volumes that one service and our own can read", () => {
  const text = composeText();
  expect(text).not.toMatch(/(PASSWORD|SECRET|TOKEN|KEY): (?!\/)/);
  const readers = (volume: string): string[] =>
    Object.keys(file.services)
      .filter((name) => mountsOf(service(name)).some(([source]) => source === volume))
      .sort();
  expect(readers("owner-secrets")).toEqual(["migrate", "restore", "secrets"]);
  expect(readers("postgres-secrets")).toEqual(["postgres", "secrets"]);
  expect(readers("redis-secrets")).toEqual(["redis", "secrets"]);
  expect(readers("store-secrets")).toEqual(["secrets", "store"]);
  expect(readers("broker-ca")).toEqual(["secrets"]);
  expect(readers("server-secrets")).toEqual(["bucket", "migrate", "restore", "secrets", "web", "worker"]);
});

it("publishes ports only on this machine by default, and none of the services behind", () => {
  const published = Object.entries(file.services).flatMap(([name, { ports = [], profiles }]) =>
    profiles ? [] : ports.map((port) => `${name} ${port.host_ip}:${port.published}:${port.target}/${port.protocol}`),
  );
  expect(published.sort()).toEqual([
    "mosquitto 127.0.0.1:1883:1883/tcp",
    "mosquitto 127.0.0.1:8883:8883/tcp",
    "web 127.0.0.1:3000:3000/tcp",
  ]);
  expect(file.networks.back?.internal).toBe(true);
  for (const behind of ["postgres", "redis", "store", "migrate", "bucket"]) {
    expect(Object.keys(service(behind).networks ?? {})).toEqual(["back"]);
  }
});

it("publishes a range of ports for several servers", async () => {
  const { web } = (await readCompose(current, { INNKEY_PORT: "3000-3003" })).services;
  expect(web?.ports?.map(({ published, target }) => [published, target])).toEqual([["3000-3003", 3000]]);
});

it("restores by one command that never starts by itself, for every file store", async () => {
  const stores: Record<string, string>[] = [
    {},
    { S3_ENDPOINT: "http://store:8333" },
    { S3_ENDPOINT: "https://s3.example", S3_BUCKET: "house" },
  ];
  for (const settings of stores) {
    const { restore, worker } = (await readCompose(current, settings)).services;
    expect(restore?.profiles).toEqual(["restore"]);
    const { environment: { DATABASE_MIGRATION_URL_FILE, ...shared } = {} } = restore ?? {};
    expect(DATABASE_MIGRATION_URL_FILE).toBe("/owner-secrets/database-url");
    // A restore needs the worker's settings, including store and keys, and access to the same networks and volumes.
    expect(worker?.environment).toMatchObject(shared);
    expect(restore?.networks).toEqual(worker?.networks);
    const places = (one?: ComposeService) => mountsOf(one ?? {}).map(([source, target]) => `${source}:${target}`);
    expect(places(restore)).toEqual(expect.arrayContaining(places(worker)));
  }
  const command = 'docker compose run --rm -v "$PWD/key:/key:ro" restore /app/backups/<file>';
  expect(read("docs/operators/backup.md").includes(command)).toBe(true);
});

it("tries backups in another database than the one in use", () => {
  for (const name of ["worker", "migrate"]) {
    expect(service(name).environment?.BACKUP_VERIFY_DATABASE_URL_FILE).toBe("/secrets/verify-database-url");
  }
  const roles = read("deploy/roles.sql");
  expect(roles).toMatch(/CREATE ROLE innkey_owner LOGIN CREATEDB/);
  expect(roles).toMatch(/CREATE ROLE innkey LOGIN PASSWORD/);
});

it("gives a stopping server longer than its shutdown takes", () => {
  for (const name of ["web", "worker"]) {
    const { stop_grace_period, environment } = service(name);
    // After draining, requests in flight and jobs in work have time limits of their own.
    expect(Number.parseInt(stop_grace_period ?? "", 10)).toBeGreaterThanOrEqual(
      Number(environment?.SHUTDOWN_DRAIN_SECONDS) + 30,
    );
  }
});

it("creates no demo hotel", () => {
  expect(read("Dockerfile")).toMatch(/^CMD \["node", .*"apps\/server\/dist\/main.js", "--empty"\]$/m);
  for (const name of ["web", "worker"]) expect(service(name).command).toBeNull();
});

it("derives the https address from the domain alone", async () => {
  const env = async (settings: Record<string, string>) =>
    (await readCompose(current, settings)).services.web?.environment ?? {};
  expect(await env({ INNKEY_DOMAIN: "console.hotel.example" })).toMatchObject({
    ...{ PUBLIC_URL: "https://console.hotel.example", TRUST_PROXY: "true" },
  });
  expect(await env({})).toMatchObject({ PUBLIC_URL: "", TRUST_PROXY: "" });
  expect(await env({ S3_ENDPOINT: "http://store:8333" })).toMatchObject({
    ...{ S3_BUCKET: "innkey", S3_ACCESS_KEY_FILE: "/secrets/s3-access-key" },
  });
});

it("passes the locks' address to the broker's certificate and to the broker", async () => {
  const settings = { LOCKS_ADDRESS: "192.168.1.5", MQTT_PUBLIC_URL: "mqtts://192.168.1.5:8883" };
  const { secrets, mosquitto, web } = (await readCompose(current, settings)).services;
  expect(secrets?.environment).toEqual(settings);
  expect(mosquitto?.environment).toMatchObject(settings);
  expect(web?.environment?.MQTT_PUBLIC_URL).toBe(settings.MQTT_PUBLIC_URL);
  expect(mosquitto?.ports?.map(({ host_ip, published }) => `${host_ip}:${published}`)).toEqual([
    "192.168.1.5:1883",
    "192.168.1.5:8883",
  ]);
});

it("reads every setting in .env.example, and the guide names every setting that it reads", () => {
  const text = composeText();
  for (const name of Object.keys(EVERYTHING)) {
    if (name !== "COMPOSE_PROFILES") expect(text).toContain(`\${${name}`);
  }
  const guide = read("docs/operators/install.md");
  for (const [, name = ""] of text.matchAll(/\$\{([A-Z0-9_]+)/g)) expect(guide).toContain(`\`${name}\``);
});

it("accepts the values in .env.example as valid settings", async () => {
  const { web } = (await readCompose(current, EVERYTHING)).services;
  const { ROLE: _role, ...environment } = web?.environment ?? {};
  const plain = Object.entries(environment).filter(([name]) => !name.endsWith("_FILE") && !name.startsWith("S3_"));
  const env = Object.fromEntries(plain.map(([name, value]) => [name, String(value ?? "").replace("age1…", "")]));
  expect(() =>
    loadConfig(
      { ...env, DATA_DIR: join(REPOSITORY, "apps/server/dist"), LEGACY: "off", SECRET_KEY: "ab".repeat(32) },
      [],
    ),
  ).not.toThrow();
});

it("builds with the package manager, the Node and the images that the repository names", () => {
  const { packageManager, engines } = JSON.parse(read("package.json"));
  const text = read("Dockerfile");
  expect([...text.matchAll(/pnpm@[\d.]+/g)].map(([value]) => value)).toEqual([packageManager, packageManager]);
  const images = new Set([...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image));
  expect([...images]).toEqual([expect.stringMatching(/^node:24\.\d+\.\d+-\w+-slim$/)]);
  expect(engines.node).toBe(">=20.19");
});

it("has a health check that needs no additional tool in the image", () => {
  const check = JSON.parse(/^HEALTHCHECK .* CMD (\[.+\])$/m.exec(read("Dockerfile"))?.[1] ?? "[]");
  for (const name of ["web", "worker"]) expect(service(name).healthcheck?.test).toEqual(["CMD", ...check]);
});
