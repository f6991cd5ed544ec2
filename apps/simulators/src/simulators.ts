import { readFile } from "node:fs/promises";
import type { IncomingMessage, Server } from "node:http";
import {
  fingerprintServer,
  hidBridgeServer,
  httpReaderServer,
  socketReaderServer,
  VirtualSensor,
} from "./device-services.ts";
import { NO_LOCK_FAULTS } from "./locks/lock-faults.ts";
import { callLocks } from "./locks/locks-control.ts";
import type { Street } from "./locks/street.ts";
import { bodyOf, jsonServer, type Service, sendJson, serviceOn } from "./service.ts";
import { type Faults, faultsOf, NO_FAULTS, SERVICES, type ServiceName, VirtualReader } from "./virtual-reader.ts";

interface Desk {
  reader: VirtualReader;
  sensor: VirtualSensor;
  /** simulated locks, if the simulators run with any */
  street?: Street | undefined;
  /** starts and stops services according to `faults.down` */
  apply(faults: Faults): Promise<void>;
}

const PAGES: Readonly<Record<string, { file: URL; type: string }>> = {
  "GET /": { file: new URL("./control-page.html", import.meta.url), type: "text/html" },
  "GET /doors.js": { file: new URL("./locks/doors.js", import.meta.url), type: "text/javascript" },
};

function deskState({ reader, sensor }: Desk): object {
  return {
    card: reader.card?.uid ?? null,
    cards: reader.cards.map(({ uid, name, model }) => ({ uid, name, model })),
    faults: reader.faults,
    finger: sensor.finger,
    light: reader.light,
    beeps: reader.beeps,
    open: reader.isOpen,
    diary: reader.diary,
  };
}

/**
 * The control page and the calls for tests:
 * the calls of locks-control.ts · GET /state · PUT /card {uid|null} · PUT /faults {…} · PUT /finger {on} · GET
 * /cards/<uid> (its memory) · POST /reset
 */
function controlServer(desk: Desk): Server {
  const { reader, sensor } = desk;
  const calls: Record<string, (request: IncomingMessage) => Promise<object | undefined>> = {
    "GET /state": async () => deskState(desk),
    "PUT /card": async (request) => {
      const { uid } = Object(await bodyOf(request)) as { uid?: unknown };
      const card = reader.cards.find((candidate) => candidate.uid === uid);
      if (uid !== null && !card) return undefined;
      reader.put(card);
      return deskState(desk);
    },
    "PUT /faults": async (request) => {
      await desk.apply(faultsOf(await bodyOf(request), reader.faults));
      return deskState(desk);
    },
    "PUT /finger": async (request) => {
      sensor.finger = (Object(await bodyOf(request)) as { on?: unknown }).on === true;
      return deskState(desk);
    },
    "POST /reset": async () => {
      reader.reset();
      sensor.reset();
      for (const { lock } of desk.street?.doors ?? []) lock.faults = NO_LOCK_FAULTS;
      await desk.apply(NO_FAULTS);
      return deskState(desk);
    },
  };

  return jsonServer(async (request, response) => {
    const call = `${request.method} ${request.url}`;
    const page = PAGES[call];
    if (page) {
      response.writeHead(200, { "content-type": `${page.type}; charset=utf-8` }).end(await readFile(page.file));
      return;
    }
    if (desk.street && /^\w+ \/locks\b/.test(call)) {
      const body = request.method === "GET" ? undefined : await bodyOf(request);
      const answer = await callLocks(desk.street, reader, call, body);
      return sendJson(response, answer ?? { error: "no such thing" }, answer ? 200 : 404);
    }
    const [, uid] = /^GET \/cards\/([0-9A-F]+)$/.exec(call) ?? [];
    const card = reader.cards.find((candidate) => candidate.uid === uid);
    const answer = card ? { uid: card.uid, name: card.name, blocks: card.dump() } : await calls[call]?.(request);
    sendJson(response, answer ?? { error: "no such thing" }, answer ? 200 : 404);
  });
}

/** The ports of the real services, and the port of the control page. */
const PORTS = { http: 13570, hid: 8765, socket: 39002, fingerprint: 9618, control: 13571 };

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
  const servers = [control, ...Object.values(services)];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((service) => service.down()));
  };
  // Wait for all of them: a service that started after the others failed would keep its port.
  const started = await Promise.allSettled(servers.map((service) => service.up()));
  const failed = started.find((result) => result.status === "rejected");
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
