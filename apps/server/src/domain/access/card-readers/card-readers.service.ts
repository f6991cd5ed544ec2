import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/card-readers";
import type {
  BindCardReaderInput,
  CardReaderHolder,
  CardReaderInput,
  cardReaderPresence,
  cardReaderPresenceInput,
} from "@innkey/shared/schemas/access/card-readers";
import type { z } from "zod";
import { type HotelQuery, limits, type Paging } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { containsWords, searchQuery } from "../../../kernel/search-needle.ts";
import { changesOf, FREE_TEXTS, masked, type Transaction } from "../../../kernel/transaction.ts";

interface StoredCardReader {
  deviceNo: string;
  name: string;
  type: number;
  note: string;
  holder: CardReaderHolder | null;
}

/** Returns the card reader with its row locked for this transaction. @throws not_found */
async function lockedCardReader(tx: Transaction, id: number): Promise<StoredCardReader> {
  const [row] = await tx.sql.rows<StoredCardReader>(
    `SELECT device_no AS "deviceNo", name, type, note,
        CASE WHEN operator_id IS NOT NULL THEN jsonb_build_object('kind', 'operator', 'id', operator_id)
          WHEN customer_id IS NOT NULL THEN jsonb_build_object('kind', 'customer', 'id', customer_id) END AS holder
      FROM card_reader WHERE hotel_id = $1 AND id = $2::int FOR UPDATE`,
    id,
  );
  if (!row) throw new DomainError("not_found");
  return row;
}

/**
 * Checks that no other card reader has the device number; a unique index refuses the second of two simultaneous
 * registrations. @throws device_taken at the field
 */
async function requireFreeNumber(tx: Transaction, deviceNo: string, id: number | undefined): Promise<void> {
  const duplicate = await tx.db.cardReader.findFirst({
    where: { deviceNo, NOT: { id: id ?? 0 } },
    select: { id: true },
  });
  if (duplicate) throw new DomainError("device_taken", {}, { deviceNo: { key: "errors.device_taken" } });
}

/**
 * Checks that the holder is a staff member who isn't frozen, or a customer who exists and whom the caller may see.
 * @throws not_found
 */
async function requireHolder(scope: Scope, tx: Transaction, { kind, id }: CardReaderHolder): Promise<void> {
  if (kind === "customer" && !scope.can("customers.view")) throw new DomainError("not_found");
  const from =
    kind === "operator"
      ? "membership WHERE hotel_id = $1 AND operator_id = $2::int AND frozen_at IS NULL"
      : "customer WHERE hotel_id = $1 AND id = $2::int AND deleted_at IS NULL";
  const rows = await tx.sql.rows(`SELECT id FROM ${from} FOR SHARE`, id);
  if (rows.length === 0) throw new DomainError("not_found");
}

type CardReaderRef = { id: number };

/**
 * Registers a card reader by its own device number, or changes one. @throws no_permission, not_found; device_taken at
 * the field
 */
export async function save(scope: Scope, input: CardReaderInput): Promise<CardReaderRef> {
  scope.require("cardReaders.manage");
  return scope.write((tx) => saveIn(scope, tx, input));
}

/**
 * Saves a card reader as `save` does and assigns it to `holder` in the same transaction, replacing any other holder;
 * null keeps the current holder. Without a note the card reader keeps its note. @throws no_permission; not_found for
 * the card reader or the holder; device_taken
 */
export async function saveFor(
  scope: Scope,
  { note, ...input }: Omit<CardReaderInput, "note"> & { note?: string },
  holder: CardReaderHolder | null,
): Promise<CardReaderRef> {
  scope.require("cardReaders.manage");
  return scope.write(async (tx) => {
    if (holder) await requireHolder(scope, tx, holder);
    const noteToStore = note ?? (input.id === undefined ? "" : (await lockedCardReader(tx, input.id)).note);
    const { id } = await saveIn(scope, tx, { ...input, note: noteToStore });
    const { holder: before } = await lockedCardReader(tx, id);
    if (holder && !same(before, holder)) await giveTo(tx, id, before, holder);
    return { id };
  });
}

async function saveIn(scope: Scope, tx: Transaction, { id, ...data }: CardReaderInput): Promise<CardReaderRef> {
  await requireFreeNumber(tx, data.deviceNo, id);
  if (id === undefined) {
    const created = await tx.db.cardReader.create({
      data: { hotelId: scope.hotelId, ...data, createdAt: scope.now() },
      select: { id: true },
    });
    tx.audit({
      action: "cardReader.create",
      entity: "cardReader",
      entityId: created.id,
      after: masked(data, FREE_TEXTS),
    });
    return created;
  }
  const { deviceNo, name, type, note } = await lockedCardReader(tx, id);
  const changes = changesOf({ deviceNo, name, type, note }, data, FREE_TEXTS);
  if (changes) {
    await tx.db.cardReader.updateMany({ where: { id }, data });
    tx.audit({ action: "cardReader.update", entity: "cardReader", entityId: id, ...changes });
  }
  return { id };
}

const same = (one: CardReaderHolder | null, other: CardReaderHolder | null): boolean =>
  one?.kind === other?.kind && one?.id === other?.id;

/**
 * Assigns a card reader to a staff member or a customer in place of its current holder. @throws no_permission;
 * not_found for the card reader or the holder; state_conflict if the current holder isn't `replaces`
 */
export async function bind(scope: Scope, { id, holder, replaces }: BindCardReaderInput): Promise<CardReaderRef> {
  scope.require("cardReaders.manage");
  return scope.write(async (tx) => {
    // We lock the holder before the card reader, in the same order as when a customer is removed.
    await requireHolder(scope, tx, holder);
    const { holder: before } = await lockedCardReader(tx, id);
    if (same(before, holder)) return { id };
    if (!same(before, replaces)) throw new DomainError("state_conflict");
    await giveTo(tx, id, before, holder);
    return { id };
  });
}

async function giveTo(
  tx: Transaction,
  id: number,
  before: CardReaderHolder | null,
  holder: CardReaderHolder,
): Promise<void> {
  await setHolder(tx, id, holder);
  tx.audit({
    action: "cardReader.bind",
    entity: "cardReader",
    entityId: id,
    before: { holder: before },
    after: { holder },
  });
}

/** Removes the holder of a card reader. @throws no_permission, not_found; state_conflict if it has none */
export async function unbind(scope: Scope, id: number): Promise<CardReaderRef> {
  scope.require("cardReaders.manage");
  return scope.write(async (tx) => {
    const { holder } = await lockedCardReader(tx, id);
    if (!holder) throw new DomainError("state_conflict");
    await setHolder(tx, id, null);
    tx.audit({ action: "cardReader.unbind", entity: "cardReader", entityId: id, before: { holder } });
    return { id };
  });
}

async function setHolder(tx: Transaction, id: number, holder: CardReaderHolder | null): Promise<void> {
  const operatorId = holder?.kind === "operator" ? holder.id : null;
  const customerId = holder?.kind === "customer" ? holder.id : null;
  await tx.db.cardReader.updateMany({ where: { id }, data: { operatorId, customerId } });
}

/** Unassigns all card readers of a holder who leaves. Returns their number. */
export async function releaseReaders(
  tx: Transaction,
  holder: { operatorId: number } | { customerId: number },
): Promise<number> {
  const data = { operatorId: null, customerId: null };
  const { count } = await tx.db.cardReader.updateMany({ where: holder, data });
  return count;
}

/** Deletes a card reader. @throws no_permission, not_found */
export async function remove(scope: Scope, id: number): Promise<CardReaderRef> {
  scope.require("cardReaders.manage");
  return scope.write(async (tx) => {
    const { deviceNo, name, holder } = await lockedCardReader(tx, id);
    await tx.db.cardReader.deleteMany({ where: { id } });
    tx.audit({ action: "cardReader.remove", entity: "cardReader", entityId: id, before: { deviceNo, name, holder } });
    return { id };
  });
}

/** Desks report each minute; several desks with the same card reader write once. */
const SEEN_INTERVAL_MS = 50_000;

/**
 * Records that a desk has this card reader connected. Any logged-in user may report it, because unregistered numbers
 * are not stored. The type is corrected to the driver actually in use.
 */
export async function reportPresence(
  scope: Scope,
  { deviceNo, type }: z.output<typeof cardReaderPresenceInput>,
): Promise<z.infer<typeof cardReaderPresence>> {
  const cardReader = await scope.reads.cardReader.findFirst({
    where: { deviceNo },
    select: { id: true, type: true, lastSeenAt: true },
  });
  if (!cardReader) return { known: false };
  const lastSeenAt = scope.now();
  const stale = new Date(lastSeenAt.getTime() - SEEN_INTERVAL_MS);
  if (cardReader.lastSeenAt === null || cardReader.lastSeenAt <= stale || cardReader.type !== type) {
    await scope.write((tx) =>
      tx.db.cardReader.updateMany({ where: { id: cardReader.id }, data: { lastSeenAt, type } }),
    );
  }
  return { known: true };
}

type Row = schema.CardReaderRow & { total: number };

/** $2 is the current time. */
const ONLINE = "is_reader_online(e.last_seen_at, $2::timestamptz)";

/**
 * $3 id, or null; $4 the keyword, a `searchQuery`; $5 assigned or not; $6 rows of a page, $7 offset; $8 whether the
 * caller may see customers.
 */
const LIST = `
SELECT e.id, e.device_no AS "deviceNo", e.name, e.type, e.note, ${ONLINE} AS online,
  iso(e.last_seen_at) AS "lastSeenAt", iso(e.created_at) AS "createdAt", count(*) OVER ()::int AS total,
  CASE WHEN e.operator_id IS NOT NULL THEN jsonb_build_object('kind', 'operator', 'id', e.operator_id, 'name', o.name)
    WHEN e.customer_id IS NOT NULL THEN jsonb_build_object('kind', 'customer', 'id', e.customer_id, 'name', CASE WHEN $8::boolean THEN c.name ELSE '' END) END AS holder
FROM card_reader e
LEFT JOIN operator o ON o.id = e.operator_id
LEFT JOIN customer c ON c.id = e.customer_id
WHERE e.hotel_id = $1 AND ($3::int IS NULL OR e.id = $3)
  AND ${containsWords("$4", "search_text(e.device_no)", "search_text(e.name)", "search_text(e.note)", "search_text(o.name)", "CASE WHEN $8::boolean THEN c.search_key END")}
  AND ($5::boolean IS NULL OR (e.operator_id IS NOT NULL OR e.customer_id IS NOT NULL) = $5)
ORDER BY lower(e.name), e.id LIMIT $6::int OFFSET $7::int`;

type ListInput = z.output<typeof schema.cardReaderListInput>;

/** Returns the statement of the list; without `page` it selects everything that matches. */
export function cardReaderListQuery(
  scope: Scope,
  input: Omit<ListInput, "page" | "pageSize">,
  page?: Paging,
): HotelQuery {
  const { keyword, bound } = input;
  return {
    text: LIST,
    values: [scope.now(), null, searchQuery(keyword), bound ?? null, ...limits(page), scope.can("customers.view")],
  };
}

/** Returns card readers by name; the keyword matches number, name, note and the holder's name. @throws no_permission */
export async function list(scope: Scope, input: ListInput): Promise<z.infer<typeof schema.cardReaderListOutput>> {
  scope.require("cardReaders.view");
  const { text, values } = cardReaderListQuery(scope, input, input);
  const rows = await scope.sql.rows<Row>(text, ...values);
  // A page beyond the last one has no row, so the total is read with the first page.
  if (rows.length === 0 && input.page > 1) return { ...(await list(scope, { ...input, page: 1 })), rows: [] };
  return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 };
}

/** @throws no_permission, not_found */
export async function detail(scope: Scope, id: number): Promise<schema.CardReaderRow> {
  scope.require("cardReaders.view");
  const [row] = await scope.sql.rows<Row>(LIST, scope.now(), id, "", null, 1, 0, scope.can("customers.view"));
  if (!row) throw new DomainError("not_found");
  const { total: _total, ...cardReader } = row;
  return cardReader;
}

/**
 * Returns whether the card reader with that number is online, and whether it is assigned. @throws no_permission,
 * not_found if it isn't registered
 */
export async function checkStatus(scope: Scope, deviceNo: string): Promise<z.infer<typeof schema.cardReaderStatus>> {
  scope.require("cardReaders.view");
  const [status] = await scope.sql.rows<z.infer<typeof schema.cardReaderStatus>>(
    `SELECT ${ONLINE} AS online, iso(e.last_seen_at) AS "lastSeenAt",
        (e.operator_id IS NOT NULL OR e.customer_id IS NOT NULL) AS bound
      FROM card_reader e WHERE e.hotel_id = $1 AND e.device_no = $3`,
    scope.now(),
    deviceNo,
  );
  if (!status) throw new DomainError("not_found");
  return status;
}
