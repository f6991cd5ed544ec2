import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { LockAccess } from "./lock-client.ts";
import type { LockMemory } from "./lock-memory.ts";

interface StreetEntry {
  access: LockAccess;
  memory: LockMemory;
}

const WRITE_AFTER_MS = 200;

/**
 * Stores the passwords and memories of simulated locks between runs, in a file that only its owner can read. Without a
 * path nothing is stored.
 */
export class StreetFile {
  private readonly path: string | undefined;
  private readonly kept: Map<string, StreetEntry>;
  private timer: NodeJS.Timeout | undefined;

  constructor(path?: string) {
    this.path = path;
    this.kept = path ? read(path) : new Map();
  }

  of(user: string): StreetEntry | undefined {
    return this.kept.get(user);
  }

  put(entry: StreetEntry): void {
    this.kept.set(entry.access.user, entry);
    this.touch();
  }

  remove(user: string): void {
    this.kept.delete(user);
    this.touch();
  }

  /** Schedules a write after a change. */
  touch(): void {
    if (this.path) this.timer ??= setTimeout(() => this.write(), WRITE_AFTER_MS);
  }

  /** Writes pending changes now. */
  write(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.path) return;
    const fresh = `${this.path}.new`;
    writeFileSync(fresh, JSON.stringify(Object.fromEntries(this.kept)), { mode: 0o600 });
    renameSync(fresh, this.path);
  }
}

/** @throws Error with a message for the person who starts the simulators, if the file is damaged */
function read(path: string): Map<string, StreetEntry> {
  try {
    return new Map(Object.entries<StreetEntry>(JSON.parse(readFileSync(path, "utf8"))));
  } catch (error) {
    if (Object(error).code === "ENOENT") return new Map();
    throw new Error(`${path} can't be read: move it away and the locks are connected anew. ${String(error)}`);
  }
}
