import { DomainError } from "@innkey/shared/errors";
import type {
  BindEncoderInput,
  EncoderHolder,
  EncoderInput,
  encoderPresence,
  encoderPresenceInput,
} from "@innkey/shared/schemas/encoders";
import type { z } from "zod";
import { changesOf } from "../../core/changes.ts";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import { lockedEncoder, requireFreeNumber, requireHolder } from "./encoder.ts";

type EncoderRef = { id: number };

/**
 * Registers a reader by the number it tells of itself, or changes one. @throws no_permission, not_found; device_taken at
 * the field
 */
export async function save(scope: Scope, input: EncoderInput): Promise<EncoderRef> {
  scope.require("encoders.manage");
  return scope.write((unit) => saveIn(scope, unit, input));
}

/**
 * As `save`, and gives the reader to `holder` in the same act, whoever has it; null leaves it with whom it is. Without a
 * note the reader keeps its own. @throws no_permission; not_found for the reader or the person; device_taken
 */
export async function saveFor(
  scope: Scope,
  { note, ...input }: Omit<EncoderInput, "note"> & { note?: string },
  holder: EncoderHolder | null,
): Promise<EncoderRef> {
  scope.require("encoders.manage");
  return scope.write(async (unit) => {
    if (holder) await requireHolder(scope, unit, holder);
    const kept = note ?? (input.id === undefined ? "" : (await lockedEncoder(unit, input.id)).note);
    const { id } = await saveIn(scope, unit, { ...input, note: kept });
    const { holder: before } = await lockedEncoder(unit, id);
    if (holder && !same(before, holder)) await giveTo(unit, id, before, holder);
    return { id };
  });
}

async function saveIn(scope: Scope, unit: Unit, { id, ...data }: EncoderInput): Promise<EncoderRef> {
  await requireFreeNumber(unit, data.deviceNo, id);
  if (id === undefined) {
    const created = await unit.db.encoder.create({
      data: { hotelId: scope.hotelId, ...data, createdAt: scope.now() },
      select: { id: true },
    });
    unit.journal({ action: "encoder.create", entity: "encoder", entityId: created.id, after: data });
    return created;
  }
  const { deviceNo, name, type, note } = await lockedEncoder(unit, id);
  const changes = changesOf({ deviceNo, name, type, note }, data);
  if (changes) {
    await unit.db.encoder.updateMany({ where: { id }, data });
    unit.journal({ action: "encoder.update", entity: "encoder", entityId: id, ...changes });
  }
  return { id };
}

const same = (one: EncoderHolder | null, other: EncoderHolder | null): boolean =>
  one?.kind === other?.kind && one?.id === other?.id;

/**
 * Gives a reader to one operator of this hotel or one customer, in place of whoever has it.
 * @throws no_permission; not_found for the reader or the person; state_conflict if it is somebody else's than `replaces`
 */
export async function bind(scope: Scope, { id, holder, replaces }: BindEncoderInput): Promise<EncoderRef> {
  scope.require("encoders.manage");
  return scope.write(async (unit) => {
    // The person before the reader, as when a customer is removed.
    await requireHolder(scope, unit, holder);
    const { holder: before } = await lockedEncoder(unit, id);
    if (same(before, holder)) return { id };
    if (!same(before, replaces)) throw new DomainError("state_conflict");
    await giveTo(unit, id, before, holder);
    return { id };
  });
}

async function giveTo(unit: Unit, id: number, before: EncoderHolder | null, holder: EncoderHolder): Promise<void> {
  await setHolder(unit, id, holder);
  unit.journal({
    action: "encoder.bind",
    entity: "encoder",
    entityId: id,
    before: { holder: before },
    after: { holder },
  });
}

/** Takes a reader from whoever has it. @throws no_permission, not_found; state_conflict if nobody has it */
export async function unbind(scope: Scope, id: number): Promise<EncoderRef> {
  scope.require("encoders.manage");
  return scope.write(async (unit) => {
    const { holder } = await lockedEncoder(unit, id);
    if (!holder) throw new DomainError("state_conflict");
    await setHolder(unit, id, null);
    unit.journal({ action: "encoder.unbind", entity: "encoder", entityId: id, before: { holder } });
    return { id };
  });
}

async function setHolder(unit: Unit, id: number, holder: EncoderHolder | null): Promise<void> {
  const operatorId = holder?.kind === "operator" ? holder.id : null;
  const customerId = holder?.kind === "customer" ? holder.id : null;
  await unit.db.encoder.updateMany({ where: { id }, data: { operatorId, customerId } });
}

/** Forgets a reader. @throws no_permission, not_found */
export async function remove(scope: Scope, id: number): Promise<EncoderRef> {
  scope.require("encoders.manage");
  return scope.write(async (unit) => {
    const { deviceNo, name, holder } = await lockedEncoder(unit, id);
    await unit.db.encoder.deleteMany({ where: { id } });
    unit.journal({ action: "encoder.remove", entity: "encoder", entityId: id, before: { deviceNo, name, holder } });
    return { id };
  });
}

/** Desks report each minute; several with the same reader write once. */
const SEEN_AGAIN_MS = 50_000;

/**
 * A desk has this reader connected. Whoever is logged in there may say so: nothing is stored of a number that isn't
 * registered. The type is corrected by what drives the reader in fact.
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
  const stale = new Date(lastSeenAt.getTime() - SEEN_AGAIN_MS);
  if (encoder.lastSeenAt === null || encoder.lastSeenAt <= stale || encoder.type !== type) {
    await scope.write((unit) => unit.db.encoder.updateMany({ where: { id: encoder.id }, data: { lastSeenAt, type } }));
  }
  return { known: true };
}
