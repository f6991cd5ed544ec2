import { readFile } from "node:fs/promises";
import type { IncomingMessage, Server } from "node:http";
import { type Faults, faultsOf, NO_FAULTS } from "./faults.ts";
import type { VirtualSensor } from "./fingerprint-service.ts";
import { NO_LOCK_FAULTS } from "./locks/lock-faults.ts";
import { callLocks } from "./locks/locks-control.ts";
import type { Street } from "./locks/street.ts";
import { bodyOf, jsonServer, sendJson } from "./service.ts";
import type { VirtualReader } from "./virtual-reader.ts";

export interface Desk {
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

export function deskState({ reader, sensor }: Desk): object {
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
export function controlServer(desk: Desk): Server {
  const { reader, sensor } = desk;
  const calls: Record<string, (request: IncomingMessage) => Promise<object | undefined>> = {
    "GET /state": async () => deskState(desk),
    "PUT /card": async (request) => {
      const { uid } = Object(await bodyOf(request)) as { uid?: unknown };
      const card = reader.cards.find((own) => own.uid === uid);
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
    const card = reader.cards.find((own) => own.uid === uid);
    const answer = card ? { uid: card.uid, name: card.name, blocks: card.dump() } : await calls[call]?.(request);
    sendJson(response, answer ?? { error: "no such thing" }, answer ? 200 : 404);
  });
}
