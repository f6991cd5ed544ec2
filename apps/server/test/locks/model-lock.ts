import { createDecipheriv, createHash } from "node:crypto";
import { ALL_DOORS, type CardRecord, decodeRecord } from "@innkey/shared/cards/record";
import { type CommandMessage, type LockArgs, lockArgs, sealedConfigure } from "@innkey/shared/locks/protocol";
import { isWithinHours } from "@innkey/shared/locks/week-hours";
import { diversifiedKey } from "../../src/domain/access/cards/card-keys.ts";
import { openConfigure } from "../../src/domain/access/locks/lock-secrets.ts";

/** A card at a door: its number and its content. */
export interface Chip {
  uid: string;
  /** 32 hex digits; null: no record of a hotel */
  data: string | null;
  /** contents of its other sectors: records of zones */
  others?: string[];
}

const bytes = (hex: string): Buffer => Buffer.from(hex, "hex");

/**
 * A lock that handles cards as the protocol describes: it stores its commands' effects and decides which cards open.
 */
export class ModelLock {
  #setup: LockArgs["configure"] | undefined;
  #guestFloor = 0;
  #epoch = 0;
  readonly pairingSecrets: string[] = [];
  #pairing: { secret: string; counter: number } | undefined;
  readonly #blocked = new Map<string, { until: string | null; allowed: Allowed | null }>();
  readonly #credentials = new Map<number, LockArgs["set_credential"]>();

  /** Enters the pairing secret at the lock. */
  pair(secret: string): void {
    this.#pairing = { secret, counter: 0 };
    this.pairingSecrets.push(secret);
  }

  execute({ id, type, args }: Pick<CommandMessage, "id" | "type" | "args">): void {
    switch (type) {
      case "configure": {
        const sealed = sealedConfigure.parse(args);
        if (!this.#pairing || sealed.counter <= this.#pairing.counter) throw new Error("a lock refuses this configure");
        const setup = openConfigure(this.#pairing.secret, id, sealed);
        this.#pairing.counter = sealed.counter;
        this.#setup = setup;
        const isNewEpoch = setup.sequenceEpoch > this.#epoch;
        this.#guestFloor = isNewEpoch ? setup.guestFloor : Math.max(this.#guestFloor, setup.guestFloor);
        this.#epoch = Math.max(this.#epoch, setup.sequenceEpoch);
        return;
      }
      case "raise_floor":
        this.#guestFloor = Math.max(this.#guestFloor, lockArgs.raise_floor.parse(args).floor);
        return;
      case "block_card": {
        const { uid, until } = lockArgs.block_card.parse(args);
        this.#block(uid, until, null);
        return;
      }
      case "allow_card": {
        const { uid, until, ...allowed } = lockArgs.allow_card.parse(args);
        this.#block(uid, until, allowed);
        return;
      }
      case "set_credential": {
        const credential = lockArgs.set_credential.parse(args);
        this.#credentials.set(credential.slot, credential);
        return;
      }
      case "remove_credential":
        this.#credentials.delete(lockArgs.remove_credential.parse(args).slot);
    }
  }

  /** Blocks a card; a later block never shortens an earlier one. */
  #block(uid: string, until: string | null, allowed: Allowed | null): void {
    const before = this.#blocked.get(uid);
    const latest = before && until !== null && (before.until === null || before.until > until) ? before.until : until;
    this.#blocked.set(uid, { until: latest, allowed });
  }

  /**
   * Returns the sequence of the record that opened (null without a sequence), "listed" for a number allowed without a
   * record, or null if the door stays shut.
   */
  opensFor(chip: Chip, now: string): { sequence: number | null } | "listed" | null {
    const block = this.#blocked.get(chip.uid);
    const isBlocked = block !== undefined && (block.until === null || block.until > now);
    const records = [chip.data, ...(chip.others ?? [])].flatMap(
      (data, at) => this.#readRecord(chip.uid, data, at) ?? [],
    );
    const isInPeriod = (from: string, to: string | null): boolean => from <= now && (to === null || to > now);
    const listed = [...this.#credentials.values()].filter(
      ({ uid, validFrom, validTo, hours = [] }) =>
        uid === chip.uid && isInPeriod(validFrom, validTo) && isWithinHours(hours, now, this.#setup?.timeZone ?? "UTC"),
    );
    if (!isBlocked && listed.some(({ recordNeeded }) => !recordNeeded)) return "listed";
    const fingerprint = createHash("sha256")
      .update(bytes(chip.uid))
      .update(bytes(chip.data ?? ""))
      .digest("hex");
    const passed = listed.find(({ pass }) => pass === fingerprint.toUpperCase());
    if (passed) return passed.card === "block_out" ? null : { sequence: null };
    const withRecord = listed.some(({ pass }) => pass === undefined);
    for (const record of records) {
      const { kind, opens, sequence } = record;
      if (!isInPeriod(record.validFrom, record.validTo)) continue;
      if (kind !== "guest") {
        if ("zone" in opens && opens.zone === ALL_DOORS && withRecord) return { sequence: null };
        continue;
      }
      if (isBlocked && !isAllowedRecord(record, block.allowed)) continue;
      if ("zone" in opens) return { sequence: null };
      if (sequence >= this.#guestFloor) return { sequence };
    }
    return null;
  }

  /** Presents a card. A newer record makes the lock refuse older ones. Returns whether the door opened. */
  presentCard(chip: Chip, now: string): boolean {
    const opened = this.opensFor(chip, now);
    if (opened !== null && opened !== "listed") this.#guestFloor = Math.max(this.#guestFloor, opened.sequence ?? 0);
    return opened !== null;
  }

  get guestFloor(): number {
    return this.#guestFloor;
  }

  /** Reads the record in the sector at index `at`: the room's in the first, those of zones in the others. */
  #readRecord(uid: string, data: string | null, at: number): CardRecord | null {
    if (data === null || !this.#setup) return null;
    const { keys: generations, lockNumber } = this.#setup;
    for (const keys of generations) {
      for (const [key, opens] of recordKeys(keys, lockNumber)) {
        if (keys.cipher === "aes" && (at === 0) !== "lock" in opens) continue;
        const record = decodeRecord(decryptRecord(key, keys, uid, data));
        if ("fault" in record || record.siteCode !== keys.siteCode) continue;
        if (JSON.stringify(record.opens) === JSON.stringify(opens)) return record;
      }
    }
    return null;
  }
}

type Keys = LockArgs["configure"]["keys"][number];
type Allowed = Pick<CardRecord, "sequence" | "validFrom" | "validTo">;

const isAllowedRecord = (record: CardRecord, allowed: Allowed | null): boolean =>
  allowed !== null &&
  record.sequence === allowed.sequence &&
  record.validFrom === allowed.validFrom &&
  record.validTo === allowed.validTo;

/** Returns each key with the doors that its card records may open; with DES one key is for all kinds of records. */
function recordKeys(keys: Keys, lockNumber: number): [key: string, opens: CardRecord["opens"]][] {
  const ownLock = { lock: lockNumber };
  if (keys.cipher === "aes")
    return [
      [keys.lockKey, ownLock],
      ...keys.zones.map(({ zone, key }) => [key, { zone }] as [string, CardRecord["opens"]]),
    ];
  return [
    [keys.desKey, ownLock],
    [keys.desKey, { zone: ALL_DOORS }],
  ];
}

function decryptRecord(key: string, keys: Keys, uid: string, data: string): Buffer {
  const decipher =
    keys.cipher === "aes"
      ? createDecipheriv("aes-128-cbc", diversifiedKey(bytes(key), bytes(`${uid}494E4E4B455972`)), Buffer.alloc(16))
      : createDecipheriv("des-ede3-cbc", bytes(key.repeat(3)), bytes(keys.desIv));
  decipher.setAutoPadding(false);
  return Buffer.concat([decipher.update(bytes(data)), decipher.final()]);
}
