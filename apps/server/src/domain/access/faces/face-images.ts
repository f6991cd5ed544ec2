import type { SystemScopes } from "../../../kernel/system-scope.ts";
import { type FileStore, shrink } from "../../files/public.ts";

/** Provides face pictures in the size that locks accept. */
export class FaceImages {
  readonly #files: FileStore;
  readonly #scopeOf: SystemScopes;

  constructor(files: FileStore, scopeOf: SystemScopes) {
    this.#files = files;
    this.#scopeOf = scopeOf;
  }

  /**
   * Returns a JPEG in base64, at most 320 px per side and 60 kB of text; null if the face doesn't exist or was erased.
   */
  async imageForLock(hotelId: number, faceId: number): Promise<string | null> {
    const scope = await this.#scopeOf(hotelId);
    const face = await scope?.reads.face.findFirst({
      where: { id: faceId, deletedAt: null },
      select: { fileId: true },
    });
    if (!scope || !face?.fileId) return null;
    const picture = await this.#files.faceBytes(scope, face.fileId);
    return picture && (await shrink(picture)).toString("base64");
  }
}
