import { createHash, randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import type { Capability } from "@innkey/shared/capabilities";
import type { FileKind } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { FileStored } from "@innkey/shared/schemas/rooms";
import type { Scope } from "../../core/scope.ts";
import type { FileStorage } from "../../infra/file-storage.ts";
import { redraw } from "./picture.ts";

export interface OpenedFile {
  contentType: string;
  sizeBytes: number;
  content: Readable;
}

/** What it takes to bring in a picture, by what it shows. */
const NEEDED: Record<FileKind, Capability> = { room: "rooms.manage", avatar: "staff.manage" };

/** Pictures of a hotel: rows in the database, bytes in the storage. */
export class FileStore {
  readonly #storage: FileStorage;

  constructor(storage: FileStorage) {
    this.#storage = storage;
  }

  /**
   * Takes a picture in. The bytes are there before the row is, so that no row points at nothing.
   * @throws no_permission, file_not_image
   */
  async store(scope: Scope, kind: FileKind, upload: Uint8Array): Promise<FileStored> {
    scope.require(NEEDED[kind]);
    const { bytes, contentType, width, height } = await redraw(upload);
    const id = randomUUID();
    await this.#storage.write(id, bytes);
    try {
      await scope.write(async (unit) => {
        const sha256 = createHash("sha256").update(bytes).digest("hex");
        const facts = { kind, contentType, sizeBytes: bytes.length, width, height };
        await unit.db.storedFile.create({
          data: { id, hotelId: scope.hotelId, ...facts, sha256, createdById: scope.actor.id, createdAt: scope.now() },
        });
        unit.journal({ action: "file.store", entity: "file", entityId: id, after: facts });
      });
    } catch (error) {
      await this.#storage.remove(id);
      throw error;
    }
    return { id, url: `/files/${id}`, width, height };
  }

  /** A picture of the caller's hotel, for anyone who is logged in there. @throws not_found */
  async open(scope: Scope, id: string): Promise<OpenedFile> {
    const file = await scope.reads.storedFile.findFirst({
      where: { id },
      select: { contentType: true, sizeBytes: true },
    });
    const content = file && (await this.#storage.read(id));
    if (!content) throw new DomainError("not_found");
    return { ...file, content };
  }
}
