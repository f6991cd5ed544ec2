import { useSyncExternalStore } from "react";
import type { CardReader, ReaderSelf } from "@/readers/card-reader.ts";
import { firstCallLimit, loopbackPermission, surroundings } from "@/readers/loopback-permission.ts";
import { breaksLine, ReaderError } from "@/readers/reader-error.ts";
import {
  keepSource,
  keepType,
  type ReaderType,
  readerOf,
  type Source,
  storedSource,
  storedType,
} from "@/readers/reader-type.ts";
import { type DeskState, readingDesk } from "@/readers/reading-desk.ts";
import { READER_LIMITS } from "@/readers/service-reader.ts";
import { phoneReader, readByPhone } from "@/readers/web-nfc.ts";

export type Connection = "untried" | "trying" | "connected" | "broken";

type Setting = { type: ReaderType; source: Source; connection: Connection; failure?: ReaderError };

/** The reader of this browser and what lies on it; every screen shows the same one. */
export const desk = readingDesk();

let setting: Setting = { type: storedType(localStorage), source: knownSource(), connection: "untried" };
const listeners = new Set<() => void>();
const readers = new Map<string, CardReader & ReaderSelf>();

function knownSource(): Source {
  const source = storedSource(localStorage);
  return source === "phone" && !phoneReader() ? "service" : source;
}

function set(next: Partial<Setting>): void {
  setting = { ...setting, ...next };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useDeskReader(): Setting {
  return useSyncExternalStore(subscribe, () => setting);
}

export function useDesk(): DeskState {
  return useSyncExternalStore(desk.subscribe, desk.state);
}

export function chooseType(type: ReaderType): void {
  keepType(localStorage, type);
  desk.clear();
  set({ type, connection: "untried", failure: undefined });
}

export function chooseSource(source: Source): void {
  keepSource(localStorage, source);
  desk.clear();
  set({ source });
}

const firstLimit = async (): Promise<number> =>
  firstCallLimit(await loopbackPermission(surroundings()), READER_LIMITS.call);

/** The driver of the chosen type; each keeps its connection while the page lives. */
function readerAt(device: number): CardReader & ReaderSelf {
  const key = `${setting.type}:${device}`;
  const reader = readers.get(key) ?? readerOf(setting.type, device, { firstLimit });
  readers.set(key, reader);
  return reader;
}

/** Does something with the reader, and notes whether it was there. */
export async function withReader<Result>(
  work: (reader: CardReader & ReaderSelf) => Promise<Result>,
  device = 0,
): Promise<Result> {
  const { type } = setting;
  const note = (next: Partial<Setting>): void => {
    if (setting.type === type) set(next);
  };
  try {
    const result = await work(readerAt(device));
    note({ connection: "connected", failure: undefined });
    return result;
  } catch (error) {
    if (error instanceof ReaderError && error.kind !== "cancelled")
      note(
        breaksLine(error) ? { connection: "broken", failure: error } : { connection: "connected", failure: undefined },
      );
    throw error;
  }
}

export async function checkConnection(): Promise<void> {
  if (setting.connection === "trying") return;
  set({ connection: "trying", failure: undefined });
  await withReader((reader) => reader.open()).catch((error) => {
    if (!(error instanceof ReaderError)) throw error;
  });
}

export function readCard(): Promise<void> {
  const Phone = setting.source === "phone" ? phoneReader() : undefined;
  if (Phone) return desk.read(async (signal) => ({ uid: await readByPhone(Phone, signal) }));
  return desk.read((signal) =>
    withReader(async (reader) => {
      const card = await reader.readUid(signal);
      // The card was read; a reader without a voice doesn't undo that.
      void reader.beep().catch(() => undefined);
      return card;
    }),
  );
}
