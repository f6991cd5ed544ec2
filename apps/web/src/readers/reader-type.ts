import type { CardReader, ReaderDevice } from "./card-reader.ts";
import { hidLine } from "./lines/hid-line.ts";
import { httpLine } from "./lines/http-line.ts";
import { socketLine } from "./lines/socket-line.ts";
import { type ServiceReaderOptions, serviceReader } from "./service-reader.ts";

/** Reader types, numbered and stored as by the old console (source: specification, section 9). */
export const READER_TYPES = ["1", "2", "3"] as const;
export type ReaderType = (typeof READER_TYPES)[number];

const TYPE_KEY = "cardSenderType";
const LINES = { "1": httpLine, "2": hidLine, "3": socketLine } satisfies Record<ReaderType, unknown>;

/**
 * How a card's number is entered: through a reader's service, typed by a reader that works as a keyboard, or by the
 * phone itself.
 */
export const SOURCES = ["service", "keyboard", "phone"] as const;
export type Source = (typeof SOURCES)[number];
const SOURCE_KEY = "cardNumberSource";

export interface ReaderStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

export function storedType(storage: ReaderStorage): ReaderType {
  const stored = storage.getItem(TYPE_KEY);
  return READER_TYPES.find((type) => type === stored) ?? "1";
}

export function keepType(storage: ReaderStorage, type: ReaderType): void {
  storage.setItem(TYPE_KEY, type);
}

export function storedSource(storage: ReaderStorage): Source {
  const stored = storage.getItem(SOURCE_KEY);
  return SOURCES.find((source) => source === stored) ?? "service";
}

export function keepSource(storage: ReaderStorage, source: Source): void {
  storage.setItem(SOURCE_KEY, source);
}

export function readerOf(type: ReaderType, device: number, options: ServiceReaderOptions): CardReader & ReaderDevice {
  return serviceReader(LINES[type]({ device }), options);
}
