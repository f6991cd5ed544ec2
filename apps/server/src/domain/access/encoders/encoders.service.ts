import { DomainError } from "@innkey/shared/errors";
import type {
  BindEncoderInput,
  EncoderHolder,
  EncoderInput,
  encoderPresence,
  encoderPresenceInput,
} from "@innkey/shared/schemas/encoders";
import type { z } from "zod";
import { changesOf } from "../../../kernel/changes.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { lockedEncoder, requireFreeNumber, requireHolder } from "./encoder.ts";

type EncoderRef = { id: number };

/**
 * Registers a card reader by its own device number, or changes one. @throws no_permission, not_found; device_taken at
 * the field
 */
export async function save(scope: Scope, input: EncoderInput): Promise<EncoderRef> {
  scope.require("encoders.manage");
  return scope.write((tx) => saveIn(scope, tx, input));
}

/**
 * Saves a card reader as `save` does and assigns it to `holder` in the same transaction, replacing any other holder;
 * null keeps the current holder. Without a note the card reader keeps its note. @throws no_permission; not_found for
 * the card reader or the holder; device_taken
 */
export async function saveFor(
  scope: Scope,
  { note, ...input }: Omit<EncoderInput, "note"> & { note?: string },
  holder: EncoderHolder | null,
): Promise<EncoderRef> {
  scope.require("encoders.manage");
  return scope.write(async (tx) => {
    if (holder) await requireHolder(scope, tx, holder);
    const noteToStore = note ?? (input.id === undefined ? "" : (await lockedEncoder(tx, input.id)).note);
    const { id } = await saveIn(scope, tx, { ...input, note: noteToStore });
    const { holder: before } = await lockedEncoder(tx, id);
    if (holder && !same(before, holder)) await giveTo(tx, id, before, holder);
    return { id };
  });
}

async function saveIn(scope: Scope, tx: Transaction, { id, ...data }: EncoderInput): Promise<EncoderRef> {
  await requireFreeNumber(tx, data.deviceNo, id);
  if (id === undefined) {
    const created = await tx.db.encoder.create({
      data: { hotelId: scope.hotelId, ...data, createdAt: scope.now() },
      select: { id: true },
    });
    tx.audit({ action: "encoder.create", entity: "encoder", entityId: created.id, after: data });
    return created;
  }
  const { deviceNo, name, type, note } = await lockedEncoder(tx, id);
  const changes = changesOf({ deviceNo, name, type, note }, data);
  if (changes) {
    await tx.db.encoder.updateMany({ where: { id }, data });
    tx.audit({ action: "encoder.update", entity: "encoder", entityId: id, ...changes });
  }
  return { id };
}

const same = (one: EncoderHolder | null, other: EncoderHolder | null): boolean =>
  one?.kind === other?.kind && one?.id === other?.id;

/**
 * Assigns a card reader to a staff member or a customer in place of its current holder. @throws no_permission;
 * not_found for the card reader or the holder; state_conflict if the current holder isn't `replaces`
 */
export async function bind(scope: Scope, { id, holder, replaces }: BindEncoderInput): Promise<EncoderRef> {
  scope.require("encoders.manage");
  return scope.write(async (tx) => {
    // We lock the holder before the card reader, in the same order as when a customer is removed.
    await requireHolder(scope, tx, holder);
    const { holder: before } = await lockedEncoder(tx, id);
    if (same(before, holder)) return { id };
    if (!same(before, replaces)) throw new DomainError("state_conflict");
    await giveTo(tx, id, before, holder);
    return { id };
  });
}

async function giveTo(tx: Transaction, id: number, before: EncoderHolder | null, holder: EncoderHolder): Promise<void> {
  await setHolder(tx, id, holder);
  tx.audit({
    action: "encoder.bind",
    entity: "encoder",
    entityId: id,
    before: { holder: before },
    after: { holder },
  });
}

/** Removes the holder of a card reader. @throws no_permission, not_found; state_conflict if it has none */
export async function unbind(scope: Scope, id: number): Promise<EncoderRef> {
  scope.require("encoders.manage");
  return scope.write(async (tx) => {
    const { holder } = await lockedEncoder(tx, id);
    if (!holder) throw new DomainError("state_conflict");
    await setHolder(tx, id, null);
    tx.audit({ action: "encoder.unbind", entity: "encoder", entityId: id, before: { holder } });
    return { id };
  });
}

async function setHolder(tx: Transaction, id: number, holder: EncoderHolder | null): Promise<void> {
  const operatorId = holder?.kind === "operator" ? holder.id : null;
  const customerId = holder?.kind === "customer" ? holder.id : null;
  await tx.db.encoder.updateMany({ where: { id }, data: { operatorId, customerId } });
}

/** Unassigns all card readers of a holder who leaves. Returns how many they were. */
export async function releaseReaders(
  tx: Transaction,
  holder: { operatorId: number } | { customerId: number },
): Promise<number> {
  const data = { operatorId: null, customerId: null };
  const { count } = await tx.db.encoder.updateMany({ where: holder, data });
  return count;
}

/** Deletes a card reader. @throws no_permission, not_found */
export async function remove(scope: Scope, id: number): Promise<EncoderRef> {
  scope.require("encoders.manage");
  return scope.write(async (tx) => {
    const { deviceNo, name, holder } = await lockedEncoder(tx, id);
    await tx.db.encoder.deleteMany({ where: { id } });
    tx.audit({ action: "encoder.remove", entity: "encoder", entityId: id, before: { deviceNo, name, holder } });
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
  { deviceNo, type }: z.output<typeof encoderPresenceInput>,
): Promise<z.infer<typeof encoderPresence>> {
  const encoder = await scope.reads.encoder.findFirst({
    where: { deviceNo },
    select: { id: true, type: true, lastSeenAt: true },
  });
  if (!encoder) return { known: false };
  const lastSeenAt = scope.now();
  const stale = new Date(lastSeenAt.getTime() - SEEN_INTERVAL_MS);
  if (encoder.lastSeenAt === null || encoder.lastSeenAt <= stale || encoder.type !== type) {
    await scope.write((tx) => tx.db.encoder.updateMany({ where: { id: encoder.id }, data: { lastSeenAt, type } }));
  }
  return { known: true };
}
