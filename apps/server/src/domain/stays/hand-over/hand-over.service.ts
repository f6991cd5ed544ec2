import { DomainError } from "@innkey/shared/errors";
import { MAX_OPEN_NOTES } from "@innkey/shared/limits";
import type * as schema from "@innkey/shared/schemas/stays/hand-over";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import { FREE_TEXTS, masked } from "../../../kernel/transaction.ts";

type Output<S extends z.ZodType> = z.output<S>;

/**
 * Notes `n` that the caller may see. `$2`: their rooms, null for all. A note about no room is for everybody who sees
 * the board.
 */
const VISIBLE = "n.hotel_id = $1 AND ($2::int[] IS NULL OR n.room_id IS NULL OR n.room_id = ANY ($2::int[]))";

/** Whether operator `$3` has yet to read note `n`. */
const UNREAD = `n.author_id <> $3::int AND NOT EXISTS (SELECT FROM hand_over_note_read q
  WHERE q.note_id = n.id AND q.operator_id = $3::int)`;

const NOTE = `n.id, n.text, r.name AS "roomName", CASE WHEN r.deleted_at IS NULL THEN r.id END AS "roomId",
  iso(n.due_at) AS "dueAt", a.name AS "authorName", iso(n.created_at) AS "createdAt", iso(n.done_at) AS "doneAt",
  d.name AS "doneByName", n.done_at IS NULL AND ${UNREAD} AS unread`;
const NAMES = `LEFT JOIN room r ON r.hotel_id = n.hotel_id AND r.id = n.room_id
  JOIN operator a ON a.id = n.author_id LEFT JOIN operator d ON d.id = n.done_by_id`;

/** Notes that were done stay on the list as long as they are among this many. */
const MAX_DONE = 20;

const LIST = `SELECT
  (SELECT coalesce(json_agg(o), '[]') FROM (SELECT ${NOTE} FROM hand_over_note n ${NAMES}
    WHERE ${VISIBLE} AND n.done_at IS NULL ORDER BY n.due_at NULLS LAST, n.id DESC LIMIT $4::int) o) AS open,
  (SELECT coalesce(json_agg(o), '[]') FROM (SELECT ${NOTE} FROM hand_over_note n ${NAMES}
    WHERE ${VISIBLE} AND n.done_at IS NOT NULL ORDER BY n.done_at DESC, n.id DESC LIMIT $5::int) o) AS done`;

const WAITING = `SELECT count(*)::int AS waiting FROM hand_over_note n
  WHERE ${VISIBLE} AND n.done_at IS NULL AND (n.due_at <= $4::timestamptz OR (${UNREAD}))`;

/** Whoever sees the board reads and writes notes; programs don't. @throws no_permission */
function requireReader(scope: Scope): number {
  scope.require("rooms.view");
  if (scope.operatorId === null) throw new DomainError("no_permission");
  return scope.operatorId;
}

/** Returns the open notes, and the last ones that were done. @throws no_permission */
export async function list(scope: Scope): Promise<Output<typeof schema.handOverNotes>> {
  const operatorId = requireReader(scope);
  const [row] = await scope.sql.rows<Output<typeof schema.handOverNotes>>(
    LIST,
    scope.roomIds,
    operatorId,
    MAX_OPEN_NOTES,
    MAX_DONE,
  );
  return row ?? { open: [], done: [] };
}

/** Counts the open notes that the caller has not read, or that are due. @throws no_permission */
export async function waiting(scope: Scope): Promise<Output<typeof schema.waitingNotes>> {
  const operatorId = requireReader(scope);
  const [row] = await scope.sql.prepared<Output<typeof schema.waitingNotes>>(
    "hand-over-waiting",
    WAITING,
    scope.roomIds,
    operatorId,
    scope.now().toISOString(),
  );
  return row ?? { waiting: 0 };
}

/**
 * Leaves a note for the next shift. @throws no_permission; not_found for a room that the caller doesn't see;
 * too_many_notes while the hotel has MAX_OPEN_NOTES open ones
 */
export async function add(
  scope: Scope,
  { text, roomId, dueAt }: schema.AddNoteInput,
): Promise<Output<typeof schema.noteRef>> {
  const authorId = requireReader(scope);
  if (roomId !== null) scope.requireRoom(roomId);
  return scope.write(async (tx) => {
    const room = roomId === null ? null : await tx.db.room.findFirst({ where: { id: roomId, deletedAt: null } });
    if (roomId !== null && !room) throw new DomainError("not_found");
    const open = await tx.db.handOverNote.count({ where: { doneAt: null } });
    if (open >= MAX_OPEN_NOTES) throw new DomainError("too_many_notes");
    const { id } = await tx.db.handOverNote.create({
      data: { hotelId: scope.hotelId, roomId, text, dueAt, authorId, createdAt: scope.now() },
      select: { id: true },
    });
    const after = masked({ text, room: room?.name ?? null, dueAt }, FREE_TEXTS);
    tx.audit({ action: "handOver.add", entity: "handOverNote", entityId: id, after });
    return { id };
  });
}

/**
 * Ticks a note as done, or takes the tick back; nothing happens if it already is so. @throws no_permission, not_found
 */
export async function setDone(
  scope: Scope,
  { id, done }: Output<typeof schema.setNoteDoneInput>,
): Promise<Output<typeof schema.noteRef>> {
  const operatorId = requireReader(scope);
  return scope.write(async (tx) => {
    const [note] = await tx.sql.rows<{ done: boolean; room: string | null }>(
      `SELECT n.done_at IS NOT NULL AS done, r.name AS room FROM hand_over_note n
        LEFT JOIN room r ON r.hotel_id = n.hotel_id AND r.id = n.room_id
        WHERE ${VISIBLE} AND n.id = $3::int FOR UPDATE OF n`,
      scope.roomIds,
      id,
    );
    if (!note) throw new DomainError("not_found");
    if (note.done === done) return { id };
    const data = done ? { doneAt: scope.now(), doneById: operatorId } : { doneAt: null, doneById: null };
    await tx.db.handOverNote.updateMany({ where: { id }, data });
    const action = done ? "handOver.done" : "handOver.reopen";
    tx.audit({ action, entity: "handOverNote", entityId: id, after: { room: note.room } });
    return { id };
  });
}

/** Records that the caller has read these notes; those that they can't see are left out. @throws no_permission */
export async function markRead(
  scope: Scope,
  { ids }: Output<typeof schema.readNotesInput>,
): Promise<Output<typeof schema.notesRead>> {
  const operatorId = requireReader(scope);
  return scope.write(async (tx) => {
    const rows = await tx.sql.rows<{ noteId: number }>(
      `INSERT INTO hand_over_note_read (hotel_id, note_id, operator_id, read_at)
        SELECT n.hotel_id, n.id, $3::int, $5::timestamptz FROM hand_over_note n
          WHERE ${VISIBLE} AND n.id = ANY ($4::int[]) AND ${UNREAD}
        ON CONFLICT DO NOTHING RETURNING note_id AS "noteId"`,
      scope.roomIds,
      operatorId,
      ids,
      scope.now().toISOString(),
    );
    return { changed: rows.length };
  });
}
