import { extname, join, resolve } from "node:path";
import { prepareTrialDatabase, type TrialDatabase } from "./adapters/backup/trial-database.ts";
import { connectRelay } from "./adapters/events/connect-relay.ts";
import { countFacesApart } from "./adapters/faces/face-counter.ts";
import { smtpMailer } from "./adapters/mail/mail.ts";
import { connectDatabase, tracePool } from "./adapters/postgres/client.ts";
import { startEmbeddedPostgres } from "./adapters/postgres/embedded-postgres.ts";
import { prepareDatabase } from "./adapters/postgres/prepare.ts";
import { openWatch } from "./adapters/postgres/watch.ts";
import { runInChildProcess } from "./adapters/process/child-process.ts";
import { createShutdown, listen } from "./adapters/process/lifecycle.ts";
import { createJobQueue } from "./adapters/queue/queue.ts";
import { rateLimits } from "./adapters/redis/rate-limits.ts";
import { connectRedis } from "./adapters/redis/redis.ts";
import { webhookSms } from "./adapters/sms/sms.ts";
import { openStores } from "./adapters/storage/stores.ts";
import { createLogger, type Logger } from "./adapters/telemetry/logger.ts";
import { showSourceOfFatalErrors } from "./adapters/telemetry/source-stack.ts";
import { startTracing } from "./adapters/telemetry/tracing.ts";
import { createGuestServer } from "./api/guest/guest-server.ts";
import { drainAndClose, IN_FLIGHT_MS } from "./api/http/connections.ts";
import { createHealthServer } from "./api/http/routes/health.routes.ts";
import { createHttpServer } from "./api/http/server.ts";
import { weakCiphers } from "./api/legacy/envelope.ts";
import { type Config, loadConfig } from "./config.ts";
import { createServices, jobs, type Services } from "./domain/services.ts";
import { demoLogins, seedDemoOnFirstStart } from "./first-start.ts";
import { backupSettings, installationOf, versionIn } from "./installation.ts";
import { systemClock } from "./kernel/clock.ts";
import { scopeFactory, secretsOf } from "./kernel/scope.ts";
import { secretBox } from "./kernel/secret-box.ts";
import type { SetUpTask } from "./set-up.ts";
import { leaveBackgroundToWorkers, startBackground } from "./start-background.ts";

/** The repository's root: three folders above this file's folder, both as source (src/) and as bundle (dist/). */
const root = resolve(import.meta.dirname, "../../..");
const shutdown = createShutdown();

/** Returns the address of a program beside this one. */
const program = (name: string): URL => new URL(`./${name}${extname(import.meta.filename)}`, import.meta.url);

/** Does the work of a first start in a process of its own, so that this one doesn't keep the memory for it. */
const setUp = (task: SetUpTask): Promise<string[]> =>
  runInChildProcess(program("set-up"), task, {
    purpose: "prepares the database",
    say: console.log,
  });

async function start(config: Config): Promise<void> {
  const log = createLogger(config.logLevel);
  const clock = systemClock;

  const tracing = await startTracing(config.tracing, versionIn(root).version);
  if (tracing) shutdown.add("traces", () => tracing.close());
  const { databaseUrl, migrationUrl, backupUrl } = await databaseAddresses(config);
  const applied = await prepareDatabase({
    databaseUrl,
    migrationUrl,
    prismaDir: join(root, "prisma"),
    withQueue: config.redisUrl === undefined,
    migrateApart: (url, migrationsDir) => setUp({ kind: "migrations", databaseUrl: url, migrationsDir }),
  });
  if (applied.length > 0) console.log(`Database is up to date (${applied.length} migrations applied)`);
  const database = connectDatabase(databaseUrl, config.databasePool, (error) =>
    log.warn({ err: error }, "database connection lost"),
  );
  shutdown.add("database", () => database.close());
  if (tracing) tracePool(database.pool, tracing);
  const watch = openWatch(databaseUrl);
  shutdown.add("watch", () => watch.close());

  for (const name of weakCiphers(config.legacyCiphers ?? [])) {
    console.warn(
      `LEGACY_CIPHER: ${name} is weak: who listens reads what old clients send. Change to aes-256-cbc soon.`,
    );
  }
  const secrets = secretsOf(config.secretKey, config.previousSecretKeys);
  if (config.role === "all") {
    const createDemo = (password: string): Promise<unknown> =>
      setUp({ kind: "demo hotel", databaseUrl, secretKey: config.secretKey, password });
    await seedDemoOnFirstStart({ config, database, say: console.log, createDemo });
  }

  const redis = config.redisUrl ? connectRedis(config.redisUrl, log) : undefined;
  if (redis) shutdown.add("Redis", async () => redis.disconnect());
  const relay = await connectRelay(databaseUrl, log, config.redisUrl);
  shutdown.add("live events", () => relay.close());
  const mailer = config.smtpUrl ? await smtpMailer(config.smtpUrl, config.mailFrom) : undefined;
  if (mailer) shutdown.add("mail", async () => mailer.close());
  const queue = createJobQueue({ databaseUrl, redisUrl: config.redisUrl, jobs, log });

  const { bucket, ...stores } = openStores(config);
  if (bucket && !(await bucket.bucketExists().catch(() => false))) {
    console.warn(`The bucket ${config.s3?.bucket} can't be reached: pictures and exports will fail until it can.`);
  }
  const services = createServices({
    database,
    clock,
    log,
    queue,
    relay,
    rateLimits: rateLimits(database.pool, redis),
    secrets,
    mailer,
    sms: config.smsWebhookUrl ? webhookSms(config.smsWebhookUrl) : undefined,
    ...stores,
    countFaces: countFacesApart(program("count-faces")),
    openScope: scopeFactory({ database, clock, secrets }),
    accountBox: secretBox(config.secretKey, "account", config.previousSecretKeys),
    gatewayBox: secretBox(config.secretKey, "gateway", config.previousSecretKeys),
    installation: installationOf(config, { root, database, watch, queue, relay, bucket }),
    backup: backupSettings(config, root, backupUrl),
    rosterDirectory: config.rosterDirectory,
    captchaAlways: config.captchaAlways,
    guestUrl: config.guestUrl,
    sessionLimits: { idleSeconds: config.sessionIdleSeconds, maxSeconds: config.sessionMaxSeconds },
  });
  shutdown.add("work after answers", () => services.auth.settled());
  services.links.allowLoopback = config.ttlockAllowLocal;
  services.webhooks.allowLocal = config.webhookAllowLocal;
  const background = { config, services, queue, relay, clock, log, shutdown };
  if (config.role === "web") await leaveBackgroundToWorkers(background);
  else await startBackground(background);

  const ready = (): Promise<unknown> => watch.alive();
  const metrics = { token: config.metricsToken, trustProxy: config.trustProxy, read: () => services.system.metrics() };
  const server =
    config.role === "worker"
      ? createHealthServer({ log, ready, metrics })
      : await createHttpServer({
          services,
          log,
          ready,
          metrics,
          cookieBox: secretBox(config.secretKey, "cookie", config.previousSecretKeys),
          trustProxy: config.trustProxy,
          publicUrl: config.publicUrl,
          allowedHosts: config.allowedHosts,
          sessionMaxSeconds: config.sessionMaxSeconds,
          legacyCiphers: config.legacyCiphers,
          webDirectory: join(root, "apps/web/dist"),
        });
  const { shutdownDrainSeconds } = config;
  shutdown.add(
    "web server",
    () => drainAndClose(server, shutdownDrainSeconds),
    shutdownDrainSeconds * 1000 + IN_FLIGHT_MS,
  );
  const address = await listen(server, config.host, config.port);
  if (config.role !== "worker") await startGuestServer(config, services, log);
  await services.system.heartbeat.start();
  shutdown.add("heartbeat", () => services.system.heartbeat.close());

  if (shutdown.hasBegun) return;
  // We don't await this, because an unreachable server must not delay the start. Only processes that run jobs make
  // trial restores.
  if (config.role !== "web") void prepareTrials({ databaseUrl, migrationUrl, trialUrl: config.backup.trialUrl }, log);
  if (config.role === "worker") console.log(`\nInnkey works in the background; its health is at ${address}/readyz`);
  else console.log(`\nInnkey is ready at ${config.publicUrl ?? address}`);
  if (config.role === "all") for (const line of await demoLogins(config, services.auth.setup)) console.log(line);
  console.log("Ctrl-C stops it.");
}

/** Serves guests' pages on a port of their own, so that a proxy can show these alone to the outside. */
async function startGuestServer(config: Config, services: Services, log: Logger): Promise<void> {
  const { guestUrl, shutdownDrainSeconds } = config;
  if (guestUrl === undefined) return;
  // We only speak http, so an https address means that a proxy is in front of this port, whatever the console has.
  const trustProxy = config.trustProxy || guestUrl.startsWith("https:");
  const webDirectory = join(root, "apps/web/guest/dist");
  const server = await createGuestServer({ services, log, trustProxy, guestUrl, webDirectory });
  shutdown.add("guests' pages", () => drainAndClose(server, shutdownDrainSeconds));
  await listen(server, config.host, config.guestPort);
}

/** Logs problems only, because each trial checks again. */
async function prepareTrials(options: TrialDatabase, log: Logger): Promise<void> {
  try {
    const untried = await prepareTrialDatabase(options);
    if (untried !== null) log.warn(untried);
  } catch (error) {
    log.error(error instanceof Error ? error.message : error);
  }
}

interface DatabaseAddresses {
  /** URL with the server's role */
  databaseUrl: string;
  /** URL with the owner's role, if this process has it */
  migrationUrl: string | undefined;
  /** URL with the role that makes backups and trial restores */
  backupUrl: string;
}

/** Returns the configured database's URLs, or starts the embedded database. */
async function databaseAddresses({ dataDir, ...config }: Config): Promise<DatabaseAddresses> {
  const { databaseUrl, databaseMigrationUrl: migrationUrl } = config;
  if (databaseUrl !== undefined) return { databaseUrl, migrationUrl, backupUrl: databaseUrl };
  console.log("Starting PostgreSQL …");
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: console.warn } });
  shutdown.add("PostgreSQL", () => postgres.stop());
  // A trial restore creates a database, which the server's role may not do.
  return { databaseUrl: postgres.serverUrl, migrationUrl: postgres.url, backupUrl: postgres.url };
}

showSourceOfFatalErrors();
try {
  await start(loadConfig(process.env, process.argv.slice(2)));
} catch (error) {
  if (!shutdown.hasBegun) console.error(error instanceof Error ? error.message : error);
  await shutdown.run(1);
}
