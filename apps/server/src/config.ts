import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";

const SECRET_KEY = /^[0-9a-f]{64}$/i;

/** Everything that can be set from outside. Nothing set: one machine, everything embedded. */
const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  HOST: z.string().default("127.0.0.1"),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: z.string().startsWith("postgres").optional(),
  DATABASE_POOL: z.coerce.number().int().min(2).max(100).default(8),
  REDIS_URL: z.string().startsWith("redis").optional(),
  MQTT_URL: z.url({ protocol: /^(mqtts?|wss?)$/, error: "mqtt://, mqtts://, ws:// or wss://" }).optional(),
  MQTT_PUBLIC_URL: z.url({ protocol: /^(mqtts?|wss?)$/, error: "mqtt://, mqtts://, ws:// or wss://" }).optional(),
  MQTT_HOST: z.string().optional(),
  MQTT_PORT: z.coerce.number().int().min(0).max(65_535).default(1883),
  MQTT_MAX_CLIENTS: z.coerce.number().int().min(1).max(100_000).default(5_000),
  TTLOCK_ALLOW_LOCAL: z.stringbool().default(false),
  WEBHOOK_ALLOW_LOCAL: z.stringbool().default(false),
  SMTP_URL: z.string().startsWith("smtp").optional(),
  MAIL_FROM: z.string().default("Innkey <innkey@localhost>"),
  SMS_WEBHOOK_URL: z.url().optional(),
  SECRET_KEY: z.string().regex(SECRET_KEY, "64 hex digits").optional(),
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
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug"]).default("warn"),
});

export interface Config {
  port: number | undefined;
  host: string;
  dataDir: string;
  databaseUrl: string | undefined;
  databasePool: number;
  redisUrl: string | undefined;
  /** a broker of the operator's own; without one the server is the broker */
  mqttUrl: string | undefined;
  /** what locks are told to connect to, where it differs */
  mqttPublicUrl: string | undefined;
  mqttHost: string;
  mqttPort: number;
  mqttMaxClients: number;
  /** TTLock's address may be on this machine: for tests */
  ttlockAllowLocal: boolean;
  /** events may go to plain http and to this machine: for tests */
  webhookAllowLocal: boolean;
  smtpUrl: string | undefined;
  mailFrom: string;
  smsWebhookUrl: string | undefined;
  /** 32 bytes; encrypts fields and cookies */
  secretKey: Buffer;
  demoPassword: string | undefined;
  captchaAlways: boolean;
  sessionIdleSeconds: number;
  sessionMaxSeconds: number;
  trustProxy: boolean;
  publicUrl: string | undefined;
  logLevel: string;
  /** start without the demo hotel */
  empty: boolean;
}

/** Reads the environment once; a setting that makes no sense stops the start with its name and reason. */
export function loadConfig(env: NodeJS.ProcessEnv, argv: readonly string[]): Config {
  const parsed = environment.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== "")));
  if (!parsed.success) {
    const reasons = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`Settings are not usable:\n${reasons.join("\n")}`);
  }
  const set = parsed.data;
  const dataDir = resolve(set.DATA_DIR);
  mkdirSync(dataDir, { recursive: true });
  return {
    port: set.PORT,
    host: set.HOST,
    dataDir,
    databaseUrl: set.DATABASE_URL,
    databasePool: set.DATABASE_POOL,
    redisUrl: set.REDIS_URL,
    mqttUrl: set.MQTT_URL,
    mqttPublicUrl: set.MQTT_PUBLIC_URL,
    mqttHost: set.MQTT_HOST ?? set.HOST,
    mqttPort: set.MQTT_PORT,
    mqttMaxClients: set.MQTT_MAX_CLIENTS,
    ttlockAllowLocal: set.TTLOCK_ALLOW_LOCAL,
    webhookAllowLocal: set.WEBHOOK_ALLOW_LOCAL,
    smtpUrl: set.SMTP_URL,
    mailFrom: set.MAIL_FROM,
    smsWebhookUrl: set.SMS_WEBHOOK_URL,
    secretKey: Buffer.from(set.SECRET_KEY ?? keptSecret(join(dataDir, "secret-key")), "hex"),
    demoPassword: set.DEMO_PASSWORD,
    captchaAlways: set.CAPTCHA === "always",
    sessionIdleSeconds: set.SESSION_IDLE_MINUTES * 60,
    sessionMaxSeconds: set.SESSION_MAX_HOURS * 3600,
    trustProxy: set.TRUST_PROXY,
    publicUrl: set.PUBLIC_URL,
    logLevel: set.LOG_LEVEL,
    empty: argv.includes("--empty"),
  };
}

/** A secret made on the first start and kept with the data, readable by the owner only. @throws Error for a damaged one */
function keptSecret(path: string): string {
  if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" });
  const kept = readFileSync(path, "utf8").trim();
  if (!SECRET_KEY.test(kept)) {
    throw new Error(
      `${path} is damaged: it must hold 64 hex digits. Put the saved key back; without it, what was encrypted can't be read.`,
    );
  }
  return kept;
}
