import { useEffect, useSyncExternalStore } from "react";
import { ignoreFailure } from "@/lib/loading/missing-part.ts";
import { once } from "@/lib/loading/runs.ts";
import type { CardReader, ReaderDevice } from "@/readers/card-reader.ts";
import { cardReading, type ReadingState } from "@/readers/card-reading.ts";
import { browserEnvironment, firstCallLimit, loopbackPermission } from "@/readers/lines/loopback-permission.ts";
import { keyboardWedge, phoneReader, readByPhone } from "@/readers/number-sources.ts";
import { breaksLine, ReaderError } from "@/readers/reader-error.ts";
import { keepSource, keepType, READER_TYPES, type ReaderType, readerOf, type Source } from "@/readers/reader-type.ts";
import { READER_LIMITS } from "@/readers/service-reader.ts";
import { onReaderSettings, type ReaderSettings, readerSettings, setReaderSettings } from "./reader-settings.ts";

/** Reading of cards at this desk, with the last card; all screens share it. */
export const cardReader = cardReading();

const readers = new Map<string, CardReader & ReaderDevice>();

export function useReaderSettings(): ReaderSettings {
  return useSyncExternalStore(onReaderSettings, readerSettings);
}

export function useReading(): ReadingState {
  return useSyncExternalStore(cardReader.subscribe, cardReader.state);
}

export function chooseType(type: ReaderType): void {
  keepType(localStorage, type);
  cardReader.clear();
  setReaderSettings({ type, connection: "untried", failure: undefined });
}

export function chooseSource(source: Source): void {
  keepSource(localStorage, source);
  cardReader.clear();
  setReaderSettings({ source });
}

const firstLimit = async (): Promise<number> =>
  firstCallLimit(await loopbackPermission(browserEnvironment()), READER_LIMITS.call);

/** Returns the driver of the chosen type. Each driver keeps its connection until the page is closed. */
function readerAt(device: number, type = readerSettings().type): CardReader & ReaderDevice {
  const key = `${type}:${device}`;
  const reader = readers.get(key) ?? readerOf(type, device, { firstLimit });
  readers.set(key, reader);
  return reader;
}

/** Runs an operation on the reader, and updates whether it is connected. */
export async function withReader<Result>(
  work: (reader: CardReader & ReaderDevice) => Promise<Result>,
  device = 0,
): Promise<Result> {
  const { type } = readerSettings();
  const update = (next: Partial<ReaderSettings>): void => {
    if (readerSettings().type === type) setReaderSettings(next);
  };
  try {
    const result = await work(readerAt(device));
    update({ connection: "connected", failure: undefined });
    ignoreFailure(reportPresence());
    return result;
  } catch (error) {
    if (error instanceof ReaderError && error.kind !== "cancelled")
      update(
        breaksLine(error) ? { connection: "broken", failure: error } : { connection: "connected", failure: undefined },
      );
    throw error;
  }
}

/**
 * The same for cards: a reader that is bound to other people is refused. What can't be found out doesn't hold up the
 * desk, because the server checks the reader's number once more.
 */
export function withOwnReader<Result>(
  work: (reader: CardReader & ReaderDevice) => Promise<Result>,
  { device = 0, signal }: { device?: number; signal?: AbortSignal } = {},
): Promise<Result> {
  return withReader(async (reader) => {
    const { findUsedReader } = await import("./card-reader-presence.ts");
    const used = await findUsedReader(() => reader.serial(signal));
    if (used && !used.allowed) throw new ReaderError("ofOthers", "open", { message: used.holders.join(", ") });
    return work(reader);
  }, device);
}

/** Reports the reader to the server after its first answer. The module is loaded then, not with the page. */
const reportPresence = once(async () => {
  const { startPresence } = await import("./card-reader-presence.ts");
  startPresence(() => withReader((reader) => reader.serial()));
});

export async function checkConnection(): Promise<void> {
  if (readerSettings().connection === "trying") return;
  setReaderSettings({ connection: "trying", failure: undefined });
  await withReader((reader) => reader.open()).catch((error) => {
    if (!(error instanceof ReaderError)) throw error;
  });
}

/**
 * Tries all types of reader at once and chooses the one that answers; if several do, the one used so far. Returns
 * whether there is one.
 */
export async function findReader(): Promise<boolean> {
  const { type: before, connection } = readerSettings();
  if (connection === "trying") return false;
  setReaderSettings({ connection: "trying", failure: undefined });
  const tries = await Promise.allSettled(
    READER_TYPES.map(async (type) => {
      await readerAt(0, type).open();
      return type;
    }),
  );
  const answering = tries.flatMap((attempt) => (attempt.status === "fulfilled" ? [attempt.value] : []));
  const type = answering.includes(before) ? before : answering[0];
  if (type === undefined) {
    const own = tries[READER_TYPES.indexOf(before)];
    const reason: unknown = own?.status === "rejected" ? own.reason : undefined;
    setReaderSettings({ connection: "broken", ...(reason instanceof ReaderError && { failure: reason }) });
    return false;
  }
  chooseSource("service");
  chooseType(type);
  await checkConnection();
  return true;
}

export function readCard(): Promise<void> {
  const Phone = readerSettings().source === "phone" ? phoneReader() : undefined;
  if (Phone) return cardReader.read(async (signal) => ({ uid: await readByPhone(Phone, signal) }));
  return cardReader.read((signal) =>
    withOwnReader(
      async (reader) => {
        const card = await reader.readUid(signal);
        // The card was read; a reader that can't beep doesn't change that.
        void reader.beep().catch(() => undefined);
        return card;
      },
      { signal },
    ),
  );
}

/** Takes card numbers from a reader that works as a keyboard, while no field of the page has the focus. */
export function useTypedNumbers(listening: boolean): void {
  useEffect(() => {
    if (!listening) return;
    const typed = keyboardWedge();
    function onKeyDown(event: KeyboardEvent): void {
      const { target } = event;
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
      const uid = typed({ key: event.key, at: event.timeStamp });
      if (!uid) return;
      // The Enter key ends the number and must not press a button.
      event.preventDefault();
      event.stopPropagation();
      cardReader.take(uid);
    }
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [listening]);
}
