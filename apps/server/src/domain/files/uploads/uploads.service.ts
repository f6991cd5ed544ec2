import { randomUUID } from "node:crypto";
import type { FileKind } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { MAX_UPLOAD_BYTES } from "@innkey/shared/limits";
import { z } from "zod";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { RateLimiter, RateLimits } from "../../../adapters/redis/rate-limits.ts";
import type { UploadAnnouncement, UploadStorage } from "../../../adapters/storage/storage.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { tooManyAttempts } from "../../../kernel/errors.ts";
import type { IdempotentRequests } from "../../../kernel/idempotency.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import { type FileStore, requireMayStore } from "../files.service.ts";
import { type UploadLink, UploadLinks } from "../signed-links.ts";

/** Name of an upload. It contains the owner, so that no table is needed. */
interface UploadName {
  hotelId: number;
  operatorId: number;
  id: string;
}

const UPLOADS = "uploads";
const KEY = /^uploads\/([1-9]\d{0,9})\/([1-9]\d{0,9})\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const keyOf = ({ hotelId, operatorId, id }: UploadName): string => `${UPLOADS}/${hotelId}/${operatorId}/${id}`;

/** Returns null if the key is not that of an upload, or belongs to someone else. */
function ownUpload(scope: Scope, key: string): UploadName | null {
  const [, hotelId, operatorId, id] = KEY.exec(key) ?? [];
  const own = id !== undefined && Number(hotelId) === scope.hotelId && Number(operatorId) === scope.operatorId;
  return own ? { hotelId: Number(hotelId), operatorId: Number(operatorId), id } : null;
}

export const UPLOAD_TYPES = ["image/jpeg", "image/png", "image/webp"] as const;

const TICKET_SECONDS = 15 * 60;
const RETENTION_MS = 24 * 3_600_000;
/** Uploads that may wait per person, and tickets per person and hour, so that nobody can fill the storage. */
const MAX_PENDING = 50;
const TICKETS = { points: 60, duration: 3600 };

interface UploadRequest {
  kind: FileKind;
  contentType: (typeof UPLOAD_TYPES)[number];
  size: number;
}

export interface UploadTicket {
  key: string;
  /** Id of the stored room picture or avatar once the upload is used. */
  id: string;
  expiresAt: string;
  /** Destination of the bytes: PUT to a storage address, or to this server with a signed link. */
  to: { url: string; headers: Readonly<Record<string, string>> } | { link: UploadLink };
}

/**
 * Pictures uploaded before they are used: a ticket contains the destination, and a second call uses the upload by its
 * key. Only the person who requested the ticket can use it, once; unused uploads are removed after a day.
 */
export class Uploads {
  readonly #storage: UploadStorage;
  readonly #idempotency: IdempotentRequests;
  readonly #links: UploadLinks;
  readonly #clock: Clock;
  readonly #tickets: RateLimiter;

  constructor(deps: {
    uploadStorage: UploadStorage;
    idempotency: IdempotentRequests;
    accountBox: SecretBox;
    clock: Clock;
    rateLimits: RateLimits;
  }) {
    this.#tickets = deps.rateLimits("uploads", TICKETS);
    this.#storage = deps.uploadStorage;
    this.#idempotency = deps.idempotency;
    this.#links = new UploadLinks(deps);
    this.#clock = deps.clock;
  }

  /**
   * Issues a ticket for one upload of `size` bytes.
   * @throws no_permission for a kind of picture that the caller may not store, too_many_attempts
   */
  async issueTicket(scope: Scope, { kind, contentType, size }: UploadRequest): Promise<UploadTicket> {
    requireMayStore(scope, kind);
    const name = { hotelId: scope.hotelId, operatorId: operatorOf(scope), id: randomUUID() };
    const waitMs = await this.#tickets.take(`${name.hotelId}:${name.operatorId}`);
    if (waitMs !== null) throw tooManyAttempts(waitMs);
    const [key, announcement] = [keyOf(name), { contentType, size }];
    const expires = Math.floor(scope.now().getTime() / 1000) + TICKET_SECONDS;
    const to =
      "presignUpload" in this.#storage
        ? await this.#storage.presignUpload(key, announcement, TICKET_SECONDS)
        : { link: this.#links.sign(key, announcement, expires) };
    return { key, id: name.id, expiresAt: new Date(expires * 1000).toISOString(), to };
  }

  /** Returns what a link permits. @throws not_found for a forged or expired link */
  readAnnouncement(name: UploadName, link: UploadLink): UploadAnnouncement {
    if ("presignUpload" in this.#storage || !this.#links.isValid(keyOf(name), link)) throw new DomainError("not_found");
    return { contentType: link.contentType, size: link.size };
  }

  /**
   * Stores the bytes that arrived with a link.
   * @throws not_found for a forged or expired link; file_not_image if empty, file_too_large if larger than announced,
   * too_many_attempts if too many uploads of this person wait, state_conflict for a second upload
   */
  async receive(name: UploadName, link: UploadLink, bytes: Uint8Array): Promise<void> {
    const { size } = this.readAnnouncement(name, link);
    if (bytes.length === 0) throw new DomainError("file_not_image");
    if (bytes.length > size) throw uploadTooLarge();
    if ("write" in this.#storage && (await this.#storage.countInFolder(keyOf(name))) >= MAX_PENDING) {
      throw tooManyAttempts(TICKETS.duration * 1000);
    }
    const isNew = "write" in this.#storage && (await this.#storage.write(keyOf(name), bytes));
    if (!isNew) throw new DomainError("state_conflict");
  }

  /**
   * Returns the bytes of the caller's own upload and uses it up. They may not be a picture.
   * @throws not_found if it belongs to someone else, never arrived, was removed or was used
   */
  async take(scope: Scope, key: string): Promise<Buffer> {
    if (!ownUpload(scope, key)) throw new DomainError("not_found");
    // The key is the request id, because a link accepts bytes again until it expires, and only one of two simultaneous
    // calls may use them.
    const upload = await this.#idempotency.once(
      scope,
      { path: "uploads.take", payload: {}, requestId: key },
      async () => {
        const bytes = await this.#storage.read(key, MAX_UPLOAD_BYTES);
        if (!bytes) throw new DomainError("not_found");
        return bytes;
      },
    );
    if (!upload) throw new DomainError("not_found");
    await this.#storage.remove(key);
    return upload.result;
  }

  /**
   * Stores the upload as a picture of the hotel. A face gets a new id; others use the id from the ticket.
   * @throws as `take` and `FileStore.store`
   */
  async storePicture(scope: Scope, files: FileStore, kind: FileKind, key: string): Promise<string> {
    requireMayStore(scope, kind);
    const id = kind === "face" ? undefined : ownUpload(scope, key)?.id;
    const stored = await files.store(scope, kind, await this.take(scope, key), id);
    return stored.id;
  }

  /** Removes unused uploads older than a day. */
  async sweep(): Promise<void> {
    await this.#storage.sweep(new Date(this.#clock.now().getTime() - RETENTION_MS));
  }
}

export const uploadTooLarge = (): DomainError =>
  new DomainError("file_too_large", { megabytes: MAX_UPLOAD_BYTES / 1024 / 1024 });

/** @throws no_permission for programs, which have no uploads */
function operatorOf({ operatorId }: Scope): number {
  if (operatorId === null) throw new DomainError("no_permission");
  return operatorId;
}

/** Removes uploads that were not used within a day. */
export const sweepUploads: Job<Record<string, never>> = { name: "uploads.sweep", payload: z.strictObject({}) };

const SWEEP_SECONDS = 3600;

export function defineUploadJobs(queue: JobQueue, uploads: Uploads): void {
  queue.define(sweepUploads, () => uploads.sweep(), { concurrency: 1, attempts: 1 });
  queue.every(sweepUploads, SWEEP_SECONDS, {});
}
