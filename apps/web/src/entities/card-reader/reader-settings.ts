import { phoneReader } from "@/readers/number-sources.ts";
import type { ReaderError } from "@/readers/reader-error.ts";
import { type ReaderType, type Source, storedSource, storedType } from "@/readers/reader-type.ts";

export type Connection = "untried" | "trying" | "connected" | "broken";

/** The reader at this desk, and whether it answers. */
export type ReaderSettings = { type: ReaderType; source: Source; connection: Connection; failure?: ReaderError };

let settings: ReaderSettings = { type: storedType(localStorage), source: initialSource(), connection: "untried" };
const listeners = new Set<() => void>();

function initialSource(): Source {
  const source = storedSource(localStorage);
  return source === "phone" && !phoneReader() ? "service" : source;
}

export const readerSettings = (): ReaderSettings => settings;

export function setReaderSettings(next: Partial<ReaderSettings>): void {
  settings = { ...settings, ...next };
  for (const listener of listeners) listener();
}

export function onReaderSettings(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
