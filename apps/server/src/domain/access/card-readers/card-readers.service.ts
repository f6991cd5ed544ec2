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
import { type HotelQuery, type HotelSql, limits, type Paging } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { containsWords, searchQuery } from "../../../kernel/search-needle.ts";
import { changesOf, FREE_TEXTS, masked, type Transaction } from "../../../kernel/transaction.ts";

interface StoredCardReader {
  deviceNo: string;
  name: string;
  type: number;
  note: string;
  holders: CardReaderHolder[];
}

/** Holders of reader `e`, first added first. */
const holdersJson = (more = ""): string => `coalesce((
  SELECT jsonb_agg(jsonb_build_object('kind', CASE WHEN h.operator_id IS NULL THEN 'customer' ELSE 'operator' END,
    'id', coalesce(h.operator_id, h.customer_id)${more}) ORDER BY h.id)
  FROM card_reader_holder h
  LEFT JOIN operator o ON o.id = h.operator_id
  LEFT JOIN customer c ON c.id = h.customer_id
  WHERE h.card_reader_id = e.id), '[]')`;

/** Returns the card reader with its row locked for this transaction. @throws not_found */
async function lockedCardReader(tx: Transaction, id: number): Promise<StoredCardReader> {
  const rows = await tx.sql.rows("SELECT id FROM card_reader WHERE hotel_id = $1 AND id = $2::int FOR UPDATE", id);
  if (rows.length === 0) throw new DomainError("not_found");
  const [row] = await tx.sql.rows<StoredCardReader>(
    `SELECT e.device_no AS "deviceNo", e.name, e.type, e.note, ${holdersJson()} AS holders
      FROM card_reader e WHERE e.hotel_id = $1 AND e.id = $2::int`,
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
 * Saves a card reader as `save` does, for clients that know one holder: in the same transaction `holder` takes the
 * place of the first holder; null keeps the holders. Without a note the reader keeps its note. @throws no_permission;
 * not_found for the card reader or the holder; device_taken
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
    if (holder) await setFirstHolder(scope, tx, id, holder);
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

const same = (one: CardReaderHolder | undefined, other: CardReaderHolder): boolean =>
  one?.kind === other.kind && one.id === other.id;
const columnsOf = ({ kind, id }: CardReaderHolder): { operatorId: number } | { customerId: number } =>
  kind === "operator" ? { operatorId: id } : { customerId: id };

/** Largest number of people whom one reader is bound to. */
const MAX_HOLDERS = 100;

/**
 * Adds a staff member or a customer to those who may use a reader. @throws no_permission; not_found for the card reader
 * or the holder; state_conflict beyond MAX_HOLDERS
 */
export async function bind(scope: Scope, { id, holder }: BindCardReaderInput): Promise<CardReaderRef> {
  scope.require("cardReaders.manage");
  return scope.write(async (tx) => {
    // We lock the holder before the card reader, in the same order as when a customer is removed.
    await requireHolder(scope, tx, holder);
    const { holders: before } = await lockedCardReader(tx, id);
    if (before.some((other) => same(other, holder))) return { id };
    if (before.length >= MAX_HOLDERS) throw new DomainError("state_conflict");
    await tx.db.cardReaderHolder.create({ data: { hotelId: scope.hotelId, cardReaderId: id, ...columnsOf(holder) } });
    auditHolders(tx, "cardReader.bind", id, before, [...before, holder]);
    return { id };
  });
}

async function setFirstHolder(scope: Scope, tx: Transaction, id: number, holder: CardReaderHolder): Promise<void> {
  const { holders: before } = await lockedCardReader(tx, id);
  const [first, ...others] = before;
  if (same(first, holder)) return;
  const after = [holder, ...others.filter((other) => !same(other, holder))];
  // The order is that of the ids, so all are written again.
  await tx.db.cardReaderHolder.deleteMany({ where: { cardReaderId: id } });
  for (const one of after)
    await tx.db.cardReaderHolder.create({ data: { hotelId: scope.hotelId, cardReaderId: id, ...columnsOf(one) } });
  auditHolders(tx, "cardReader.bind", id, before, after);
}

/** Removes somebody from those who may use a reader. @throws no_permission, not_found; state_conflict if they aren't */
export async function unbind(scope: Scope, { id, holder }: BindCardReaderInput): Promise<CardReaderRef> {
  scope.require("cardReaders.manage");
  return scope.write(async (tx) => {
    const { holders: before } = await lockedCardReader(tx, id);
    const after = before.filter((other) => !same(other, holder));
    if (after.length === before.length) throw new DomainError("state_conflict");
    await tx.db.cardReaderHolder.deleteMany({ where: { cardReaderId: id, ...columnsOf(holder) } });
    auditHolders(tx, "cardReader.unbind", id, before, after);
    return { id };
  });
}

function auditHolders(
  tx: Transaction,
  action: "cardReader.bind" | "cardReader.unbind",
  id: number,
  before: readonly CardReaderHolder[],
  after: readonly CardReaderHolder[],
): void {
  tx.audit({ action, entity: "cardReader", entityId: id, before: { holders: before }, after: { holders: after } });
}

/** Unbinds all card readers of a holder who leaves. Returns their number. */
export async function releaseReaders(
  tx: Transaction,
  holder: { operatorId: number } | { customerId: number },
): Promise<number> {
  const { count } = await tx.db.cardReaderHolder.deleteMany({ where: holder });
  return count;
}

/**
 * Whether the caller may use reader `e`: it is bound to nobody, or to them, or they are the owner. `$2`: the caller;
 * `$3`: whether they are the owner; `$4`: whether they may see customers.
 */
const USE = `
SELECT e.id, e.type, iso(e.last_seen_at) AS "lastSeenAt",
  $3::boolean OR NOT EXISTS (SELECT FROM card_reader_holder h WHERE h.card_reader_id = e.id)
    OR EXISTS (SELECT FROM card_reader_holder h WHERE h.card_reader_id = e.id AND h.operator_id = $2::int) AS allowed,
  ARRAY(SELECT coalesce(o.name, c.name) FROM card_reader_holder h
    LEFT JOIN operator o ON o.id = h.operator_id
    LEFT JOIN customer c ON c.id = h.customer_id AND $4::boolean
    WHERE h.card_reader_id = e.id AND coalesce(o.name, c.name) IS NOT NULL ORDER BY h.id) AS holders
FROM card_reader e WHERE e.hotel_id = $1 AND e.device_no = $5`;

interface ReaderUse {
  id: number;
  type: number;
  lastSeenAt: string | null;
  allowed: boolean;
  holders: string[];
}

async function readUse(scope: Scope, sql: HotelSql, deviceNo: string): Promise<ReaderUse | undefined> {
  const caller = [scope.operatorId, scope.actor.role === "owner", scope.can("customers.view")];
  const [use] = await sql.rows<ReaderUse>(USE, ...caller, deviceNo);
  return use;
}

/**
 * Refuses a card that was read or written with a reader which is bound to other people; owners may use any. A reader
 * that isn't registered, or that a client doesn't name, is anybody's. @throws reader_of_others, naming those who may
 */
export async function requireOwnReader(scope: Scope, sql: HotelSql, deviceNo: string | undefined): Promise<void> {
  const use = deviceNo ? await readUse(scope, sql, deviceNo) : undefined;
  if (use && !use.allowed) throw new DomainError("reader_of_others", { names: use.holders.join(", ") || "–" });
}

/** Deletes a card reader. @throws no_permission, not_found */
export async function remove(scope: Scope, id: number): Promise<CardReaderRef> {
  scope.require("cardReaders.manage");
  return scope.write(async (tx) => {
    const { deviceNo, name, holders } = await lockedCardReader(tx, id);
    await tx.db.cardReader.deleteMany({ where: { id } });
    tx.audit({ action: "cardReader.remove", entity: "cardReader", entityId: id, before: { deviceNo, name, holders } });
    return { id };
  });
}

/** Desks report each minute; several desks with the same card reader write once. */
const SEEN_INTERVAL_MS = 50_000;

/**
 * Records that a desk has this card reader connected, and says whether the caller may use it. Any logged-in user may
 * report it, because unregistered numbers are not stored. The type is corrected to the driver actually in use.
 */
export async function reportPresence(
  scope: Scope,
  { deviceNo, type }: z.output<typeof cardReaderPresenceInput>,
): Promise<z.infer<typeof cardReaderPresence>> {
  const cardReader = await readUse(scope, scope.sql, deviceNo);
  if (!cardReader) return { known: false, allowed: true, holders: [] };
  const { id, allowed, holders } = cardReader;
  const lastSeenAt = scope.now();
  const stale = new Date(lastSeenAt.getTime() - SEEN_INTERVAL_MS).toISOString();
  if (cardReader.lastSeenAt === null || cardReader.lastSeenAt <= stale || cardReader.type !== type) {
    await scope.write((tx) => tx.db.cardReader.updateMany({ where: { id }, data: { lastSeenAt, type } }));
  }
  return { known: true, allowed, holders: allowed ? [] : holders };
}

type Row = schema.CardReaderRow & { total: number };

/** $2 is the current time. */
const ONLINE = "is_reader_online(e.last_seen_at, $2::timestamptz)";

/** The names of the holders of reader `e` whom the caller may see, as searched. */
const HOLDERS_TEXT = `(SELECT string_agg(concat(search_text(o.name), CASE WHEN $8::boolean THEN c.search_key END), ' ')
  FROM card_reader_holder h LEFT JOIN operator o ON o.id = h.operator_id LEFT JOIN customer c ON c.id = h.customer_id
  WHERE h.card_reader_id = e.id)`;

/**
 * $3 id, or null; $4 the keyword, a `searchQuery`; $5 assigned or not; $6 rows of a page, $7 offset; $8 whether the
 * caller may see customers.
 */
const LIST = `
SELECT e.id, e.device_no AS "deviceNo", e.name, e.type, e.note, ${ONLINE} AS online,
  iso(e.last_seen_at) AS "lastSeenAt", iso(e.created_at) AS "createdAt", count(*) OVER ()::int AS total,
  ${holdersJson(", 'name', CASE WHEN h.operator_id IS NOT NULL THEN o.name WHEN $8::boolean THEN c.name ELSE '' END")} AS holders
FROM card_reader e
WHERE e.hotel_id = $1 AND ($3::int IS NULL OR e.id = $3)
  AND ${containsWords("$4", "search_text(e.device_no)", "search_text(e.name)", "search_text(e.note)", HOLDERS_TEXT)}
  AND ($5::boolean IS NULL OR EXISTS (SELECT FROM card_reader_holder h WHERE h.card_reader_id = e.id) = $5)
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
        EXISTS (SELECT FROM card_reader_holder h WHERE h.card_reader_id = e.id) AS bound
      FROM card_reader e WHERE e.hotel_id = $1 AND e.device_no = $3`,
    scope.now(),
    deviceNo,
  );
  if (!status) throw new DomainError("not_found");
  return status;
}
