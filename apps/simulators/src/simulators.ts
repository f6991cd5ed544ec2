import { controlServer, type Desk } from "./control-service.ts";
import { type Faults, SERVICES, type ServiceName } from "./faults.ts";
import { fingerprintServer, VirtualSensor } from "./fingerprint-service.ts";
import { hidBridgeServer, httpReaderServer, socketReaderServer } from "./http-reader-service.ts";
import type { Street } from "./locks/street.ts";
import { type Service, serviceOn } from "./service.ts";
import { VirtualReader } from "./virtual-reader.ts";

/** The ports of the real services, and the port of the control page. */
export const PORTS = { http: 13570, hid: 8765, socket: 39002, fingerprint: 9618, control: 13571 };

export interface Simulators extends Desk {
  urls: Record<ServiceName | "control", string>;
  stop(): Promise<void>;
}

/**
 * Starts the services of a reception desk. Port 0 means any free port, for tests. With a street, the control page also
 * shows its locks, and its guests use the desk's cards. Stopping the desk doesn't stop the street.
 */
export async function startSimulators(ports: Partial<typeof PORTS> = {}, street?: Street): Promise<Simulators> {
  const usedPorts = { ...PORTS, ...ports };
  const reader = new VirtualReader();
  const sensor = new VirtualSensor();
  const services: Record<ServiceName, Service> = {
    http: serviceOn(usedPorts.http, () => httpReaderServer(reader)),
    hid: serviceOn(usedPorts.hid, () => hidBridgeServer(reader)),
    socket: serviceOn(usedPorts.socket, () => socketReaderServer(reader)),
    fingerprint: serviceOn(usedPorts.fingerprint, () => fingerprintServer(reader, sensor)),
  };
  const apply = async (faults: Faults): Promise<void> => {
    reader.faults = faults;
    await Promise.all(
      SERVICES.map((name) => (faults.down.includes(name) ? services[name].down() : services[name].up())),
    );
  };
  const desk: Desk = { reader, sensor, apply, street };
  if (street) street.cards = () => reader.cards;
  const control = serviceOn(usedPorts.control, () => controlServer(desk));
  const all = [control, ...Object.values(services)];
  const stop = async (): Promise<void> => {
    await Promise.all(all.map((service) => service.down()));
  };
  // Wait for all of them: a service that started after the others failed would keep its port.
  const started = await Promise.allSettled(all.map((service) => service.up()));
  const failed = started.find((one) => one.status === "rejected");
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return {
    ...desk,
    stop,
    urls: {
      http: `http://localhost:${services.http.port}/reader`,
      hid: `http://localhost:${services.hid.port}`,
      socket: `ws://localhost:${services.socket.port}/RFID Reader Service`,
      fingerprint: `ws://localhost:${services.fingerprint.port}`,
      control: `http://localhost:${control.port}`,
    },
  };
}
