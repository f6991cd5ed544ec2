import { createHash, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Capability } from "@innkey/shared/capabilities";
import type { FileKind } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { FileStored } from "@innkey/shared/schemas/property/rooms";
import type { FaceCounter } from "../../adapters/faces/face-counter.ts";
import type { RateLimiter, RateLimits } from "../../adapters/redis/rate-limits.ts";
import type { FileStorage, UploadStorage } from "../../adapters/storage/storage.ts";
import { tooManyAttempts } from "../../kernel/errors.ts";
import type { Scope } from "../../kernel/scope.ts";
import type { SealContext } from "../../kernel/secret-box.ts";
import { redraw } from "./picture.ts";

interface OpenedFile {
  kind: FileKind;
  contentType: string;
  sizeBytes: number;
  content: Readable;
}

/** Capability needed to store a picture of each kind; anyone may store their own avatar. */
const REQUIRED_CAPABILITY: Record<FileKind, Capability | null> = {
  room: "rooms.manage",
  avatar: null,
  face: "faces.manage",
  logo: "hotel.manage",
};

export const fileUrl = (id: string): string => `/files/${id}`;

/** @throws no_permission for pictures of that kind, and for programs, which have no avatar */
export function requireMayStore(scope: Scope, kind: FileKind): void {
  const capability = REQUIRED_CAPABILITY[kind];
  if (capability !== null) scope.require(capability);
  else if (scope.actor.kind !== "operator") throw new DomainError("no_permission");
}

/** Seal context of a face picture, which is stored under its id. */
export const faceContext = (hotelId: number, row: string): SealContext => ({
  column: "stored_file.content",
  hotelId,
  row,
});

/** Pictures that one person may store per period; enrolling the faces of a whole hotel takes an afternoon. */
const PICTURE_LIMIT = { points: 120, duration: 10 * 60 };

/** Pictures of a hotel: rows in the database, bytes in the storage. Face pictures are sealed there. */
export class FileStore {
  readonly #storage: FileStorage;
  readonly #rateLimiter: RateLimiter;
  readonly #requireFacePicture: (scope: Scope, id: string) => Promise<void>;
  readonly #countFaces: FaceCounter;

  /** @param requireFacePicture throws not_found for the picture of a face that the caller doesn't see */
  constructor(
    storage: FileStorage,
    rateLimits: RateLimits,
    requireFacePicture: (scope: Scope, id: string) => Promise<void>,
    countFaces: FaceCounter,
  ) {
    this.#storage = storage;
    this.#requireFacePicture = requireFacePicture;
    this.#countFaces = countFaces;
    this.#rateLimiter = rateLimits("pictures", PICTURE_LIMIT);
  }

  /**
   * Stores a picture. The bytes are written before the row, so that no row points at a missing file. An avatar replaces
   * any unused one that the caller stored before. Pass `id` if the address had to be known in advance; an id can be
   * used once.
   * @throws no_permission, too_many_attempts, file_not_image; invalid_input for the picture of a face that is too small or
   * doesn't show exactly one face; face_check_failed; state_conflict for a used id
   */
  async store(scope: Scope, kind: FileKind, upload: Uint8Array, id: string = randomUUID()): Promise<FileStored> {
    requireMayStore(scope, kind);
    const person = String(scope.operatorId ?? `key:${scope.actor.id}`);
    const waitMs = await this.#rateLimiter.take(`${scope.hotelId}:${person}`);
    if (waitMs !== null) throw tooManyAttempts(waitMs);
    const used = await scope.reads.storedFile.findFirst({ where: { id }, select: { id: true } });
    if (used) throw new DomainError("state_conflict");
    if (kind === "avatar") await this.eraseUnusedAvatars(scope);
    const { bytes, contentType, width, height } = await redraw(upload, kind, {
      ...{ hotelId: scope.hotelId, person, countFaces: this.#countFaces },
    });
    const sealed = kind === "face" ? scope.secrets.face.sealBytes(bytes, faceContext(scope.hotelId, id)) : bytes;
    await this.#storage.write(id, sealed);
    try {
      await scope.write(async (tx) => {
        // We hash the stored bytes: a hash of the plain face picture would reveal who has the same picture.
        const sha256 = createHash("sha256").update(sealed).digest("hex");
        const properties = { kind, contentType, sizeBytes: bytes.length, width, height };
        await tx.db.storedFile.create({
          data: {
            id,
            hotelId: scope.hotelId,
            ...properties,
            sha256,
            createdById: scope.operatorId,
            createdAt: scope.now(),
          },
        });
        tx.audit({ action: "file.store", entity: "file", entityId: id, after: properties });
      });
    } catch (error) {
      await this.#storage.remove(id);
      throw error;
    }
    return { id, url: fileUrl(id), width, height };
  }

  /**
   * Opens a picture of the caller's hotel, or the avatar of a colleague. Pictures of rooms and faces need the permission
   * to see that room or face.
   * @throws not_found, no_permission
   */
  async open(scope: Scope, id: string): Promise<OpenedFile> {
    const fileRow = await scope.reads.storedFile.findFirst({
      where: { id },
      select: { kind: true, contentType: true, sizeBytes: true },
    });
    const file = fileRow ?? (await findColleaguesAvatar(scope, id));
    if (file?.kind === "face") {
      scope.require("faces.view");
      await this.#requireFacePicture(scope, id);
      const bytes = await this.faceBytes(scope, id);
      if (!bytes) throw new DomainError("not_found");
      return { ...file, content: Readable.from([bytes]) };
    }
    if (file?.kind === "room" && !(await canSeeRoomPicture(scope, id))) throw new DomainError("not_found");
    const content = file && (await this.#storage.read(id));
    if (!content) throw new DomainError("not_found");
    return { ...file, content };
  }

  /** Returns the decrypted picture of a face; null once it is erased. The caller must check the permission. */
  async faceBytes(scope: Scope, id: string): Promise<Buffer | null> {
    const sealed = await this.#storage.read(id);
    if (!sealed) return null;
    const bytes = scope.secrets.face.openBytes(await buffer(sealed), faceContext(scope.hotelId, id));
    if (!bytes) throw new Error("the picture was sealed with another secret key");
    return bytes;
  }

  /**
   * Removes the picture of a person that no row refers to any more. The row is deleted last, so that a failed removal
   * can be repeated.
   */
  async erase(scope: Scope, id: string): Promise<void> {
    await this.#storage.remove(id);
    await scope.write(async (tx) => {
      await tx.db.storedFile.deleteMany({ where: { id, kind: { in: ["face", "avatar"] } } });
    });
  }

  /** Removes the avatars that a person, by default the caller, stored at this hotel and that are not in use. */
  async eraseUnusedAvatars(scope: Scope, operatorId = scope.operatorId): Promise<void> {
    const unused = await scope.sql.rows<{ id: string }>(
      `SELECT f.id::text FROM stored_file f WHERE f.hotel_id = $1 AND f.kind = 'avatar' AND f.created_by_id = $2
        AND NOT EXISTS (SELECT FROM operator o WHERE o.avatar_file_id = f.id)`,
      operatorId,
    );
    for (const { id } of unused) await this.erase(scope, id);
  }
}

/** Checks whether the caller sees all rooms or the room of the picture, or has stored the picture. */
async function canSeeRoomPicture(scope: Scope, id: string): Promise<boolean> {
  const seesRooms = scope.can("rooms.view");
  if (seesRooms && scope.roomIds === null) return true;
  const rows = await scope.sql.rows(
    `SELECT f.id FROM stored_file f WHERE f.hotel_id = $1 AND f.id = $2::uuid AND (f.created_by_id = $3::int
      OR EXISTS (SELECT FROM room r WHERE r.hotel_id = $1 AND r.picture_file_id = f.id AND r.id = ANY ($4::int[])))`,
    id,
    scope.operatorId,
    seesRooms ? scope.roomIds : [],
  );
  return rows.length === 1;
}

/** Returns the avatar of a colleague who stored it at another hotel. */
async function findColleaguesAvatar(scope: Scope, id: string): Promise<Omit<OpenedFile, "content"> | undefined> {
  const [file] = await scope.sql.rows<Omit<OpenedFile, "content">>(
    `SELECT f.kind::text AS kind, f.content_type AS "contentType", f.size_bytes AS "sizeBytes"
      FROM stored_file f JOIN operator o ON o.avatar_file_id = f.id
      JOIN membership m ON m.operator_id = o.id AND m.hotel_id = $1
      WHERE f.id = $2::uuid AND f.kind = 'avatar'`,
    id,
  );
  return file;
}

interface Log {
  error(details: object, message: string): void;
}

/** Wraps a counter of faces so that the cause of its failures is logged. */
export const withFaceErrors =
  (countFaces: FaceCounter, log: Log): FaceCounter =>
  (pixels) =>
    countFaces(pixels).catch((err: unknown) => {
      log.error({ err }, "a picture could not be checked for faces");
      throw err;
    });

/** Wraps a storage so that its failures become external_failed; the cause is logged. */
export function withFileErrors(storage: FileStorage, log: Log): FileStorage {
  return {
    write: (id, bytes) => asStorageError(log, () => storage.write(id, bytes)),
    read: (id) => asStorageError(log, () => storage.read(id)),
    remove: (id) => asStorageError(log, () => storage.remove(id)),
  };
}

/** The same for uploads; a failed sweep is only a failed job and stays unchanged. */
export function withUploadErrors(storage: UploadStorage, log: Log): UploadStorage {
  const common = {
    read: (key: string, maxBytes: number) => asStorageError(log, () => storage.read(key, maxBytes)),
    remove: (key: string) => asStorageError(log, () => storage.remove(key)),
    sweep: (before: Date) => storage.sweep(before),
  };
  if ("write" in storage) {
    return {
      ...common,
      write: (key, bytes) => asStorageError(log, () => storage.write(key, bytes)),
      countInFolder: (key) => asStorageError(log, () => storage.countInFolder(key)),
    };
  }
  const { presignUpload } = storage;
  return {
    ...common,
    presignUpload: (key, announcement, seconds) => asStorageError(log, () => presignUpload(key, announcement, seconds)),
  };
}

/** @throws external_failed */
async function asStorageError<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    log.error({ err: cause }, "the file storage failed");
    throw Object.assign(new DomainError("external_failed"), { cause });
  }
}
