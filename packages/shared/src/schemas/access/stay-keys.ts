import { z } from "zod";
import { DoorKind, LockDriver, RevokeReason, RewriteReason, StayState } from "../../enums.ts";
import { KEYS_OF_STAY_KINDS, STAY_KEY_STATES } from "../../words.ts";

/** One key of a stay and where it stands. */
export const stayKey = z.object({
  kind: z.enum(KEYS_OF_STAY_KINDS),
  /** id of the card, of the code, or of the face's permission */
  id: z.int(),
  /** number of the card, person of the code, or note of the face */
  label: z.string(),
  /** the guest of the stay whose key it is; null: nobody in particular */
  stayGuestId: z.int().nullable(),
  state: z.enum(STAY_KEY_STATES),
  /** why a written card must be written again */
  rewrite: RewriteReason.nullable(),
  revokeReason: RevokeReason.nullable(),
  roomName: z.string().nullable(),
  /** until when it opens, or may open; null: no end */
  validTo: z.string().nullable(),
  usedAt: z.string().nullable(),
  /**
   * the common doors of the stay; `none`: this key doesn't open it, although the stay may; `taken`: nor does it, because
   * another key has the same code there
   */
  doors: z.array(z.object({ name: z.string(), state: z.enum(["opens", "waiting", "failed", "none", "taken"]) })),
});
export type StayKey = z.infer<typeof stayKey>;

/** All keys of a stay, by guest, and what its door can do with new ones. */
export const stayKeys = z.object({
  stayId: z.int(),
  state: StayState,
  room: z.object({ id: z.int(), name: z.string() }),
  /** until when the stay's keys open */
  opensUntil: z.string(),
  door: z
    .object({
      lockId: z.int(),
      driver: LockDriver,
      setUp: z.boolean(),
      online: z.boolean(),
      lastSeenAt: z.string().nullable(),
      /** it opens for cards that the desk writes */
      readsCards: z.boolean(),
      /** it takes one-time codes without being reached */
      computesCodes: z.boolean(),
    })
    .nullable(),
  /** the zones that the stay opens, and those that can be added to it */
  zones: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      kind: DoorKind,
      opens: z.boolean(),
      /** it can be added to single stays */
      isExtra: z.boolean(),
      /** this stay has it as an extra */
      added: z.boolean(),
      doors: z.array(z.string()),
    }),
  ),
  /** the guests want to open the door with an identity card */
  wantsIdCard: z.boolean(),
  guests: z.array(z.object({ stayGuestId: z.int(), name: z.string() })),
  keys: z.array(stayKey),
});
export type StayKeys = z.infer<typeof stayKeys>;
