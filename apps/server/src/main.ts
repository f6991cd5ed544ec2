import { join, resolve } from "node:path";
import { type Config, loadConfig } from "./config.ts";
import { systemClock } from "./core/clock.ts";
import { secretsOf } from "./core/scope.ts";
import { scopeFactory } from "./core/scope-factory.ts";
import { secretBox } from "./core/secret-box.ts";
import { startDevices } from "./doors/devices/device-plane.ts";
import { createHttpServer } from "./doors/http/server.ts";
import { demoLogins, seedDemoOnFirstStart } from "./first-start.ts";
import { connectDatabase } from "./infra/database/client.ts";
import { migrate } from "./infra/database/migrate.ts";
import { startEmbeddedPostgres } from "./infra/embedded-postgres.ts";
import { listen } from "./infra/listen.ts";
import { createLogger } from "./infra/logger.ts";
import { smtpMailer } from "./infra/mail.ts";
import { createJobQueue } from "./infra/queue.ts";
import { connectRelay } from "./infra/relay.ts";
import { createShutdown } from "./infra/shutdown.ts";
import { webhookSms } from "./infra/sms.ts";
import { openStores } from "./infra/stores.ts";
import { weakCiphers } from "./legacy-ciphers.ts";
import { jobs } from "./modules/jobs.ts";
import { createServices } from "./modules/services.ts";

/** Both as source (src/) and as bundle (dist/) this file is two folders below the repository's. */
const root = resolve(import.meta.dirname, "../../..");
const shutdown = createShutdown();

async function start(config: Config): Promise<void> {
  const log = createLogger(config.logLevel);
  const clock = systemClock;

  const databaseUrl = config.databaseUrl ?? (await embeddedDatabase(config));
  const applied = await migrate(databaseUrl, join(root, "prisma/migrations"));
  if (applied.length > 0) console.log(`Database is up to date (${applied.length} migrations applied)`);
  const database = connectDatabase(databaseUrl, config.databasePool, (error) =>
    log.warn({ err: error }, "database connection lost"),
  );
  shutdown.add("database", () => database.close());

  for (const name of weakCiphers(config.legacyCiphers ?? [])) {
    console.warn(
      `LEGACY_CIPHER: ${name} is weak: who listens reads what old clients send. Change to aes-256-cbc soon.`,
    );
  }
  const secrets = secretsOf(config.secretKey);
  await seedDemoOnFirstStart({ config, database, secrets, clock, say: console.log });

  const relay = await connectRelay(databaseUrl, log);
  shutdown.add("live events", () => relay.close());
  const mailer = config.smtpUrl ? smtpMailer(config.smtpUrl, config.mailFrom) : undefined;
  if (mailer) shutdown.add("mail", async () => mailer.close());
  const queue = createJobQueue({ databaseUrl, redisUrl: config.redisUrl, jobs, log });
  shutdown.add("job queue", () => queue.close());

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
    secrets,
    mailer,
    sms: config.smsWebhookUrl ? webhookSms(config.smsWebhookUrl) : undefined,
    ...stores,
    openScope: scopeFactory({ database, clock, secrets }),
    accountBox: secretBox(config.secretKey, "account"),
    gatewayBox: secretBox(config.secretKey, "gateway"),
    captchaAlways: config.captchaAlways,
    sessionLimits: { idleSeconds: config.sessionIdleSeconds, maxSeconds: config.sessionMaxSeconds },
  });
  shutdown.add("work after answers", () => services.auth.settled());
  shutdown.add("files being written", () => services.exportWorker.close());
  services.links.allowLoopback = config.ttlockAllowLocal;
  services.webhooks.allowLocal = config.webhookAllowLocal;
  const devices = await startDevices({
    mqttUrl: config.mqttUrl,
    publicUrl: config.mqttPublicUrl,
    broker: { host: config.mqttHost, port: config.mqttPort, mostClients: config.mqttMaxClients },
    locks: services.locks,
    reports: services.lockReports,
    access: services.deviceAccess,
    links: services.links,
    scopes: services.scopes,
    faceImages: (hotelId, faceId) => services.faces.imageForLock(hotelId, faceId),
    relay,
    now: () => clock.now(),
    log,
  });
  shutdown.add("devices", () => devices.close());
  queue.start();

  const server = await createHttpServer({
    services,
    log,
    ready: () => database.pool.query("SELECT 1"),
    cookieBox: secretBox(config.secretKey, "cookie"),
    trustProxy: config.trustProxy,
    publicUrl: config.publicUrl,
    sessionMaxSeconds: config.sessionMaxSeconds,
    legacyCiphers: config.legacyCiphers,
    webDirectory: join(root, "apps/web/dist"),
  });
  shutdown.add("web server", () => server.close());
  const address = await listen(server, config.host, config.port);

  if (shutdown.begun) return;
  console.log(`\nInnkey is ready at ${config.publicUrl ?? address}`);
  for (const line of await demoLogins(config, services.auth.setup)) console.log(line);
  console.log("Ctrl-C stops it.");
}

async function embeddedDatabase({ dataDir }: Config): Promise<string> {
  console.log("Starting PostgreSQL …");
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: console.warn } });
  shutdown.add("PostgreSQL", () => postgres.stop());
  return postgres.url;
}

try {
  await start(loadConfig(process.env, process.argv.slice(2)));
} catch (error) {
  if (!shutdown.begun) console.error(error instanceof Error ? error.message : error);
  await shutdown.run(1);
}
