import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../../kernel/scope.ts";
import type { SystemScopes } from "../../../kernel/system-scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { type FileStore, shrink } from "../../files/public.ts";
import { isVisible } from "../../stays/public.ts";

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

const HOUR_MS = 3_600_000;
/** Time in milliseconds within which an uploaded picture must be enrolled. */
export const ENROL_WITHIN_MS = 24 * HOUR_MS;
/** Later than the enrolment limit, so that no picture is deleted while it is being enrolled. */
export const SWEEP_AFTER_MS = 25 * HOUR_MS;

const unknown = (field: string): DomainError =>
  new DomainError("invalid_input", {}, { [field]: { key: "validation.unknown" } });

/** Checks that the file is a recently uploaded face picture that isn't enrolled yet. @throws invalid_input */
export async function checkPicture(scope: Scope, tx: Transaction, fileId: string): Promise<void> {
  const file = await tx.db.storedFile.findFirst({
    where: {
      id: fileId,
      kind: "face",
      face: { is: null },
      createdAt: { gt: new Date(scope.now().getTime() - ENROL_WITHIN_MS) },
    },
    select: { id: true },
  });
  if (!file) throw unknown("fileId");
}

/** Checks that the guest exists and, for staff, stayed in one of their rooms. @throws invalid_input */
export async function checkGuest(scope: Scope, tx: Transaction, guestId: number | null): Promise<void> {
  if (guestId === null) return;
  const [guest] = await tx.sql.rows(
    `SELECT g.id FROM guest g WHERE g.hotel_id = $1 AND g.id = $2::int AND g.erased_at IS NULL
       AND ${isVisible("g", "$3")}
       FOR KEY SHARE OF g`,
    guestId,
    scope.roomIds,
  );
  if (!guest) throw unknown("guestId");
}
