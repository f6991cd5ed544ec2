import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { AGE_RECIPIENT } from "@innkey/shared/schemas/rosters";
import { z } from "zod";
import { namesSameDatabase } from "./adapters/postgres/database-name.ts";
import type { S3Settings } from "./adapters/storage/stores.ts";
import { writeOnce } from "./adapters/storage/write-once.ts";
import { type LegacyCipher, legacyCiphers } from "./api/legacy/envelope.ts";

/**
 * Returns `env` with the value of each NAME read from the file in NAME_FILE, without the line end. @throws Error with
 * the setting's name if the file can't be read or both are set
 */
export function withFiles(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  const copy = { ...env };
  for (const name of names) {
    const path = env[`${name}_FILE`];
    if (path === undefined || path === "") continue;
    if (env[name] !== undefined && env[name] !== "") {
      throw new Error(`Settings are not usable:\n  ${name}: set twice, also as ${name}_FILE`);
    }
    try {
      copy[name] = readFileSync(path, "utf8").trimEnd();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`Settings are not usable:\n  ${name}_FILE: ${reason}`);
    }
  }
  return copy;
}

const STICKY = 0o1000;

/**
 * Creates the data directory, or restricts an existing one, so that only this user can list it. As root, its group keeps the
 * right to traverse it, because PostgreSQL runs as a user of that group. A directory that belongs to another user, or is
 * public such as /tmp, stays unchanged.
 */
export function closeDataDirectory(directory: string): void {
  mkdirSync(dirname(directory), { recursive: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  if (uid === undefined) return;
  const stats = statSync(directory);
  if (stats.uid !== uid || (stats.mode & STICKY) !== 0) return;
  const groupTraversal = uid === 0 && stats.gid !== gid ? stats.mode & 0o010 : 0;
  setMode(directory, 0o700 | groupTraversal);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && statSync(path).uid === uid) setMode(path, 0o700);
  }
}

function setMode(directory: string, mode: number): void {
  if ((statSync(directory).mode & 0o777) !== mode) chmodSync(directory, mode);
}

const SECRET_KEY = /^[0-9a-f]{64}$/i;
/** Source: age-encryption.org/v1, "X25519 recipient stanza": Bech32 with the prefix age. */
/** Source: Amazon S3 User Guide, "General purpose bucket naming rules". */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/**
 * Role of a process: it answers requests ("web"), runs jobs and communicates with locks ("worker"), or both ("all").
 */
export const ROLES = ["all", "web", "worker"] as const;
export type ProcessRole = (typeof ROLES)[number];

/**
 * All settings. Without any, everything runs embedded on one machine. Each NAME can also be set as NAME_FILE, the path
 * of a file with the value, as for container secrets.
 */
const environment = z.object({
  ROLE: z.enum(ROLES).default("all"),
  PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  HOST: z.string().default("127.0.0.1"),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: z.string().startsWith("postgres").optional(),
  DATABASE_MIGRATION_URL: z.string().startsWith("postgres").optional(),
  DATABASE_POOL: z.coerce.number().int().min(2).max(100).default(8),
  REDIS_URL: z.string().startsWith("redis").optional(),
  MQTT_URL: z.url({ protocol: /^(mqtts?|wss?)$/, error: "mqtt://, mqtts://, ws:// or wss://" }).optional(),
  MQTT_DYNAMIC_SECURITY: z.stringbool().default(false),
  MQTT_PUBLIC_URL: z.url({ protocol: /^(mqtts?|wss?)$/, error: "mqtt://, mqtts://, ws:// or wss://" }).optional(),
  MQTT_HOST: z.string().optional(),
  MQTT_PORT: z.coerce.number().int().min(0).max(65_535).default(1883),
  MQTT_TLS_PORT: z.union([z.literal("off"), z.coerce.number().int().min(0).max(65_535)]).optional(),
  MQTT_MAX_CLIENTS: z.coerce.number().int().min(1).max(100_000).default(5_000),
  TTLOCK_ALLOW_LOCAL: z.stringbool().default(false),
  WEBHOOK_ALLOW_LOCAL: z.stringbool().default(false),
  SMTP_URL: z.string().startsWith("smtp").optional(),
  MAIL_FROM: z.string().default("Innkey <innkey@localhost>"),
  SMS_WEBHOOK_URL: z.url().optional(),
  SECRET_KEY: z.string().regex(SECRET_KEY, "64 hex digits").optional(),
  SECRET_KEY_PREVIOUS: z
    .string()
    .transform((keys) => keys.split(","))
    .pipe(z.array(z.string().regex(SECRET_KEY, "64 hex digits each, commas between them")))
    .default([]),
  BACKUP_DIR: z.string().optional(),
  BACKUP_EVERY_HOURS: z.coerce.number().int().min(0).max(720).default(0),
  BACKUP_KEEP: z.coerce.number().int().min(1).max(1_000).default(14),
  BACKUP_VERIFY_DATABASE_URL: z.string().startsWith("postgres").optional(),
  ROSTER_DIR: z.string().optional(),
  BACKUP_RECIPIENT: z.string().regex(AGE_RECIPIENT, "an age public key: age1…").optional(),
  DEMO_PASSWORD: z.string().min(7).max(200).optional(),
  CAPTCHA: z.enum(["after-failures", "always"]).default("after-failures"),
  SESSION_IDLE_MINUTES: z.coerce
    .number()
    .int()
    .min(1)
    .default(12 * 60),
  SESSION_MAX_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .default(7 * 24),
  TRUST_PROXY: z.stringbool().default(false),
  PUBLIC_URL: z.url().optional(),
  GUEST_URL: z.url({ protocol: /^https?$/, error: "http:// or https://" }).optional(),
  GUEST_PORT: z.coerce.number().int().min(0).max(65_535).default(3100),
  ALLOWED_HOSTS: z
    .string()
    .regex(/^[a-z0-9.-]+(,[a-z0-9.-]+)*$/i, "names, with commas between them")
    .transform((hosts) => hosts.split(","))
    .default([]),
  LEGACY: z.enum(["on", "off"]).default("on"),
  LEGACY_CIPHER: z.string().optional(),
  LEGACY_KEY: z.string().optional(),
  LEGACY_IV: z.string().optional(),
  LEGACY_STRICT: z.stringbool().default(true),
  S3_ENDPOINT: z.url({ protocol: /^https?$/, error: "http:// or https://" }).optional(),
  S3_REGION: z.string().default("us-east-1"),
  S3_BUCKET: z.string().regex(BUCKET, "3 to 63 lower-case letters, digits, dots and hyphens").optional(),
  S3_ACCESS_KEY: z.string().optional(),
  S3_SECRET_KEY: z.string().optional(),
  S3_PATH_STYLE: z.stringbool().default(true),
  SHUTDOWN_DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).default(0),
  METRICS_TOKEN: z.string().min(16).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: "http:// or https://" }).optional(),
  OTEL_SERVICE_NAME: z.string().default("innkey"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug"]).default("warn"),
});

export interface Config {
  role: ProcessRole;
  port: number | undefined;
  host: string;
  dataDir: string;
  databaseUrl: string | undefined;
  /** URL of the role that may change the schema; if set, `databaseUrl` needs no such right */
  databaseMigrationUrl: string | undefined;
  databasePool: number;
  redisUrl: string | undefined;
  /** URL of the operator's own broker; undefined for the embedded broker */
  mqttUrl: string | undefined;
  /**
   * Whether that broker is a Mosquitto with the dynamic security plugin, where the server creates the accounts of
   * locks
   */
  mqttDynamicSecurity: boolean;
  /** Address that locks connect to, if it differs */
  mqttPublicUrl: string | undefined;
  mqttHost: string;
  mqttPort: number;
  /** TLS port of the embedded broker; null: off */
  mqttTlsPort: number | null;
  mqttMaxClients: number;
  /** Whether TTLock's address may be on this machine, for tests */
  ttlockAllowLocal: boolean;
  /** Whether webhooks may use plain http and this machine, for tests */
  webhookAllowLocal: boolean;
  smtpUrl: string | undefined;
  mailFrom: string;
  smsWebhookUrl: string | undefined;
  /** 32 bytes; encrypts fields and cookies */
  secretKey: Buffer;
  /** File that stores the key; undefined if it was set from outside */
  secretKeyFile: string | undefined;
  /** Previous keys, which only decrypt */
  previousSecretKeys: Buffer[];
  backup: BackupConfig;
  /** Folder into which each roster is copied; null: none */
  rosterDirectory: string | null;
  demoPassword: string | undefined;
  captchaAlways: boolean;
  sessionIdleSeconds: number;
  sessionMaxSeconds: number;
  trustProxy: boolean;
  publicUrl: string | undefined;
  /** Address of guests' pages, which have a port of their own; undefined: there are none */
  guestUrl: string | undefined;
  guestPort: number;
  /** Host names besides that of `publicUrl` that the server accepts */
  allowedHosts: string[];
  /** Ciphers of old clients' envelopes, in order of preference; null: the compatibility layer is off */
  legacyCiphers: LegacyCipher[] | null;
  /** Store of files, exports and uploads; undefined: the data directory */
  s3: S3Settings | undefined;
  /** How long a stopping server still answers after it reports that it isn't ready */
  shutdownDrainSeconds: number;
  /** Bearer token for /metrics; without it only this machine may read */
  metricsToken: string | undefined;
  /** Receiver of traces; undefined: tracing is off */
  tracing: { endpoint: string; serviceName: string } | undefined;
  logLevel: string;
  /** Whether to start without the demo hotel */
  empty: boolean;
}

export interface BackupConfig {
  directory: string;
  /** 0: no automatic backups */
  everyHours: number;
  /** Number of backups to keep */
  keep: number;
  /** The age public key that backups are encrypted for */
  recipient: string | undefined;
  /** An empty database for trial restores; undefined: each trial creates one, if the role may */
  trialUrl: string | undefined;
}

const MQTT_TLS_PORT = 8883;

/** Returns the TLS port of the embedded broker. If the plain port is chosen by the system (0), the TLS port is too. */
function tlsPortOf(set: z.infer<typeof environment>): number | null {
  if (set.MQTT_TLS_PORT === "off") return null;
  return set.MQTT_TLS_PORT ?? (set.MQTT_PORT === 0 ? 0 : MQTT_TLS_PORT);
}

/** Reads the settings once. @throws Error with the name and reason of each invalid setting */
export function loadConfig(env: NodeJS.ProcessEnv, argv: readonly string[]): Config {
  const values = withFiles(env, Object.keys(environment.shape));
  const parsed = environment.safeParse(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "")));
  if (!parsed.success) {
    const reasons = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`Settings are not usable:\n${reasons.join("\n")}`);
  }
  const set = parsed.data;
  requireShared(set);
  requireDatabase(set);
  const dataDir = resolve(set.DATA_DIR);
  closeDataDirectory(dataDir);
  return {
    role: set.ROLE,
    port: set.PORT,
    host: set.HOST,
    dataDir,
    databaseUrl: set.DATABASE_URL,
    databaseMigrationUrl: set.DATABASE_MIGRATION_URL,
    databasePool: set.DATABASE_POOL,
    redisUrl: set.REDIS_URL,
    mqttUrl: set.MQTT_URL,
    mqttDynamicSecurity: set.MQTT_DYNAMIC_SECURITY && set.MQTT_URL !== undefined,
    mqttPublicUrl: set.MQTT_PUBLIC_URL,
    mqttHost: set.MQTT_HOST ?? set.HOST,
    mqttPort: set.MQTT_PORT,
    mqttTlsPort: tlsPortOf(set),
    mqttMaxClients: set.MQTT_MAX_CLIENTS,
    ttlockAllowLocal: set.TTLOCK_ALLOW_LOCAL,
    webhookAllowLocal: set.WEBHOOK_ALLOW_LOCAL,
    smtpUrl: set.SMTP_URL,
    mailFrom: set.MAIL_FROM,
    smsWebhookUrl: set.SMS_WEBHOOK_URL,
    secretKey: Buffer.from(set.SECRET_KEY ?? readOrCreateSecret(join(dataDir, "secret-key")), "hex"),
    secretKeyFile: set.SECRET_KEY === undefined ? join(dataDir, "secret-key") : undefined,
    previousSecretKeys: set.SECRET_KEY_PREVIOUS.map((key) => Buffer.from(key, "hex")),
    backup: {
      directory: resolve(set.BACKUP_DIR ?? join(dataDir, "backups")),
      everyHours: set.BACKUP_EVERY_HOURS,
      keep: set.BACKUP_KEEP,
      recipient: set.BACKUP_RECIPIENT,
      trialUrl: set.BACKUP_VERIFY_DATABASE_URL,
    },
    rosterDirectory: set.ROSTER_DIR === undefined ? null : resolve(set.ROSTER_DIR),
    demoPassword: set.DEMO_PASSWORD,
    captchaAlways: set.CAPTCHA === "always",
    sessionIdleSeconds: set.SESSION_IDLE_MINUTES * 60,
    sessionMaxSeconds: set.SESSION_MAX_HOURS * 3600,
    trustProxy: set.TRUST_PROXY,
    publicUrl: set.PUBLIC_URL,
    guestUrl: set.GUEST_URL,
    guestPort: set.GUEST_PORT,
    allowedHosts: set.ALLOWED_HOSTS,
    legacyCiphers: set.LEGACY === "on" ? legacyCiphers(set, join(dataDir, "legacy-key")) : null,
    s3: s3Settings(set),
    shutdownDrainSeconds: set.SHUTDOWN_DRAIN_SECONDS,
    metricsToken: set.METRICS_TOKEN,
    tracing: set.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT, serviceName: set.OTEL_SERVICE_NAME }
      : undefined,
    logLevel: set.LOG_LEVEL,
    empty: argv.includes("--empty"),
  };
}

/** Processes with a single role share their data and its key. @throws Error that names missing settings */
function requireShared({ ROLE, DATABASE_URL, SECRET_KEY }: z.infer<typeof environment>): void {
  if (ROLE === "all") return;
  const missing = Object.entries({ DATABASE_URL, SECRET_KEY }).filter(([, value]) => value === undefined);
  if (missing.length === 0) return;
  const reasons = missing.map(([name]) => `  ${name}: needed with ROLE=${ROLE}, the same for every process`);
  throw new Error(`Settings are not usable:\n${reasons.join("\n")}`);
}

/**
 * Checks the database settings: other database URLs need DATABASE_URL, because otherwise the embedded database would be
 * used silently, and trial restores need a separate database. This compares only URLs; trial-database.ts detects
 * the same database under another name.
 * @throws Error that names the setting
 */
function requireDatabase(set: z.infer<typeof environment>): void {
  const [main, trials] = [set.DATABASE_URL, set.BACKUP_VERIFY_DATABASE_URL];
  const besides = ["DATABASE_MIGRATION_URL", "BACKUP_VERIFY_DATABASE_URL"] as const;
  const lonely = besides.filter((name) => main === undefined && set[name] !== undefined);
  const reasons = lonely.map((name) => `  DATABASE_URL: needed with ${name}; without it the PostgreSQL inside is used`);
  if (trials !== undefined && [main, set.DATABASE_MIGRATION_URL].some((url) => url && namesSameDatabase(url, trials))) {
    reasons.push("  BACKUP_VERIFY_DATABASE_URL: is the console's own database; trial restores need another one");
  }
  if (reasons.length > 0) throw new Error(`Settings are not usable:\n${reasons.join("\n")}`);
}

/** Returns the object store's settings if all or none are set. @throws Error that names missing ones */
function s3Settings(set: z.infer<typeof environment>): S3Settings | undefined {
  const needed = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY", "S3_SECRET_KEY"] as const;
  const missing = needed.filter((name) => set[name] === undefined);
  if (missing.length === needed.length) return undefined;
  const [endpoint, bucket, accessKey, secretKey] = needed.map((name) => set[name]);
  if (!endpoint || !bucket || !accessKey || !secretKey) {
    throw new Error(
      `Settings are not usable:\n${missing.map((name) => `  ${name}: needed with the other S3 settings`).join("\n")}`,
    );
  }
  return { endpoint, bucket, accessKey, secretKey, region: set.S3_REGION, pathStyle: set.S3_PATH_STYLE };
}

/**
 * Returns a secret that is created on the first start and stored with the data, readable by the owner only. @throws
 * Error if the file is damaged
 */
function readOrCreateSecret(path: string): string {
  if (!existsSync(path)) writeOnce(path, randomBytes(32).toString("hex"));
  const secret = readFileSync(path, "utf8").trim();
  if (!SECRET_KEY.test(secret)) {
    throw new Error(
      `${path} is damaged: it must hold 64 hex digits. Put the saved key back; without it, what was encrypted can't be read.`,
    );
  }
  return secret;
}
