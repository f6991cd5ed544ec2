import type { Relay } from "../../src/adapters/events/relay.ts";
import type { Logger } from "../../src/adapters/telemetry/logger.ts";
import { createLogger } from "../../src/adapters/telemetry/logger.ts";
import { type DevicePlane, startDevices } from "../../src/drivers/device-plane.ts";
import { DeviceClient } from "../clients/device-client.ts";
import type { TestServer } from "../harness/server.ts";

export interface TestDevices {
  plane: DevicePlane;
  /** Connects a lock as an installer does; it is online */
  connectLock(access: { user: string; password: string }): Promise<DeviceClient>;
  /** Sends all due commands, as the queue would do */
  dispatch(hotelId: number, lockId: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts the device connections of a test server, with a broker on a free port. */
export async function openDevices(
  server: TestServer,
  log: Logger = createLogger("silent"),
  relay: Pick<Relay, "subscribe"> = { subscribe: () => () => {} },
): Promise<TestDevices> {
  const { services, clock } = server;
  services.links.allowLoopback = true;
  const plane = await startDevices({
    mqttUrl: undefined,
    publicUrl: undefined,
    dynamicSecurity: false,
    broker: { host: "127.0.0.1", port: 0, mostClients: 100 },
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
  return {
    plane,
    connectLock: ({ user, password }) => DeviceClient.connect(plane.url, { username: user, password }),
    dispatch: (hotelId, lockId) => services.locks.dispatch(hotelId, lockId),
    close: () => plane.close(),
  };
}
