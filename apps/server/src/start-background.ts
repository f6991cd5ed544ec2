import type { Relay } from "./adapters/events/relay.ts";
import { withAdvisoryLock } from "./adapters/postgres/advisory-lock.ts";
import type { Shutdown } from "./adapters/process/lifecycle.ts";
import type { JobQueue } from "./adapters/queue/queue.ts";
import type { Logger } from "./adapters/telemetry/logger.ts";
import type { Config } from "./config.ts";
import type { Services } from "./domain/services.ts";
import { startDevices } from "./drivers/device-plane.ts";
import { type BrokerLocation, setBrokerAddress } from "./drivers/mqtt/broker-address.ts";
import type { Clock } from "./kernel/clock.ts";

interface Background {
  config: Config;
  services: Services;
  queue: JobQueue;
  relay: Relay;
  clock: Clock;
  log: Logger;
  shutdown: Shutdown;
}

/** Number of the advisory lock of the process that runs the broker. Any number works that nothing else uses. */
const BROKER_LOCK = 461_175_022;
/**
 * Time to wait for an earlier process, which may still be stopping, or whose lost connection PostgreSQL hasn't noticed
 * yet.
 */
const EARLIER_BROKER_MS = 30_000;
/** Time for jobs in work when the process stops. */
const LAST_JOBS_MS = 10_000;

const locationOf = ({ mqttUrl, mqttPublicUrl, mqttHost, mqttPort, mqttDynamicSecurity }: Config): BrokerLocation => ({
  mqttUrl,
  publicUrl: mqttPublicUrl,
  broker: { host: mqttHost, port: mqttPort },
  dynamicSecurity: mqttDynamicSecurity,
});

/** Starts the device connections, jobs and schedules. @throws Error with a message for the operator */
export async function startBackground(background: Background): Promise<void> {
  const { config, services, queue, relay, clock, log, shutdown } = background;
  if (config.mqttUrl === undefined && config.databaseUrl !== undefined)
    await requireOnlyBroker(config.databaseUrl, background);
  const { locks, lockReports: reports, deviceAccess: access, links, scopes, faces } = services;
  const { broker, ...location } = locationOf(config);
  const devices = await startDevices({
    ...location,
    broker: {
      ...broker,
      maxClients: config.mqttMaxClients,
      tls: config.mqttTlsPort === null ? null : { port: config.mqttTlsPort, directory: config.dataDir },
    },
    locks,
    reports,
    access,
    links,
    scopes,
    faceImages: (hotelId, faceId) => faces.imageForLock(hotelId, faceId),
    relay,
    now: () => clock.now(),
    log,
  });
  services.system.setBrokerState(() => devices.state());
  shutdown.add("devices", () => devices.close());
  queue.start();
  shutdown.add("job queue", () => queue.close(), LAST_JOBS_MS);
  shutdown.add("files being written", () => services.exportWorker.close());
}

/** Sets up the part that web processes need: they add jobs to the queue and display the broker's address. */
export async function leaveBackgroundToWorkers({ config, services, queue, shutdown }: Background): Promise<void> {
  await setBrokerAddress(services, locationOf(config));
  queue.prove();
  shutdown.add("job queue", () => queue.close());
}

/**
 * Ensures that only one process runs the embedded broker, because locks connect to one broker and wouldn't receive
 * messages of a second one.
 */
async function requireOnlyBroker(databaseUrl: string, { log, shutdown }: Background): Promise<void> {
  const advisoryLock = await withAdvisoryLock(databaseUrl, BROKER_LOCK, EARLIER_BROKER_MS, log);
  if (!advisoryLock) {
    throw new Error(
      "Another process on this database is the broker of the locks already, and locks connect to one only. Several " +
        "workers need a broker of their own: set MQTT_URL for all of them (docs/operators/scaling.md).",
    );
  }
  shutdown.add("broker lock", () => advisoryLock.release());
}
