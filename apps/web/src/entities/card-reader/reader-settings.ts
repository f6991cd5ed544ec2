import { phoneReader } from "@/readers/number-sources.ts";
import type { ReaderError } from "@/readers/reader-error.ts";
import { type ReaderType, type Source, storedSource, storedType } from "@/readers/reader-type.ts";

export type Connection = "untried" | "trying" | "connected" | "broken";

/** The reader at this desk, and whether it answers. */
export type Setting = { type: ReaderType; source: Source; connection: Connection; failure?: ReaderError };

let setting: Setting = { type: storedType(localStorage), source: initialSource(), connection: "untried" };
const listeners = new Set<() => void>();

function initialSource(): Source {
  const source = storedSource(localStorage);
  return source === "phone" && !phoneReader() ? "service" : source;
}

export const deskSetting = (): Setting => setting;

export function setDesk(next: Partial<Setting>): void {
  setting = { ...setting, ...next };
  for (const listener of listeners) listener();
}

export function onDeskSetting(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
