import { MAX_SEQUENCE } from "@innkey/shared/cards/record";
import { DomainError } from "@innkey/shared/errors";
import type { Unit } from "../../core/unit.ts";

/**
 * The issue sequence of a card for a room: shared by the live cards of one stay, else one more than any before, at the room
 * and at the lock that hangs there now, which may come from another door. The caller holds the stay.
 * @throws state_conflict when there are none left
 */
export async function nextSequence(
  unit: Unit,
  stayId: number,
  roomId: number,
  { lockId, anew }: { lockId: number; anew: boolean },
): Promise<number> {
  const [room] = await unit.sql.rows<{ sequence: number }>(
    "SELECT card_sequence AS sequence FROM room WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE",
    roomId,
  );
  const { guestFloor } = await unit.db.lock.findFirstOrThrow({ where: { id: lockId }, select: { guestFloor: true } });
  const current = room?.sequence ?? 0;
  const written = { kind: "guest" as const, overTheAir: false, lockNumber: lockId };
  if (!anew && current >= guestFloor) {
    const shared = await unit.db.card.findFirst({
      where: { ...written, stayId, sequence: current, state: { in: ["pending", "active"] } },
      select: { id: true },
    });
    if (shared) return current;
  }
  const { _max } = await unit.db.card.aggregate({ where: written, _max: { sequence: true } });
  const sequence = Math.max(current + 1, guestFloor, (_max.sequence ?? 0) + 1);
  if (sequence > MAX_SEQUENCE) throw new DomainError("state_conflict", { max: MAX_SEQUENCE });
  await unit.db.room.update({ where: { id: roomId, cardSequence: current }, data: { cardSequence: sequence } });
  return sequence;
}
