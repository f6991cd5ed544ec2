import { DomainError } from "@innkey/shared/errors";
import type { FileStorage } from "../../adapters/storage/file-storage.ts";
import type { UploadStorage } from "../../adapters/storage/upload-storage.ts";

interface Log {
  error(details: object, message: string): void;
}

/** Wraps a storage so that its failures become external_failed; the cause is logged. */
export function withFileErrors(storage: FileStorage, log: Log): FileStorage {
  return {
    write: (id, bytes) => asStorageError(log, () => storage.write(id, bytes)),
    read: (id) => asStorageError(log, () => storage.read(id)),
    remove: (id) => asStorageError(log, () => storage.remove(id)),
  };
}

export function withUploadErrors(storage: UploadStorage, log: Log): UploadStorage {
  const waiting = {
    read: (key: string, most: number) => asStorageError(log, () => storage.read(key, most)),
    remove: (key: string) => asStorageError(log, () => storage.remove(key)),
    sweep: (before: Date) => storage.sweep(before),
  };
  if ("write" in storage) {
    return {
      ...waiting,
      write: (key, bytes) => asStorageError(log, () => storage.write(key, bytes)),
      waitingBeside: (key) => asStorageError(log, () => storage.waitingBeside(key)),
    };
  }
  const { sendTo } = storage;
  return {
    ...waiting,
    sendTo: (key, announced, seconds) => asStorageError(log, () => sendTo(key, announced, seconds)),
  };
}

/** @throws external_failed */
async function asStorageError<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    log.error({ err: cause }, "the storage of files failed");
    throw Object.assign(new DomainError("external_failed"), { cause });
  }
}
