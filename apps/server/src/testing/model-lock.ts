import { ALL_LOCKS, decodeRecord } from "@innkey/shared/cards/record";
import { type CommandMessage, type LockArgs, lockArgs } from "@innkey/shared/locks/protocol";
import { type CardKeys, decryptRecord } from "../modules/cards/card-cipher.ts";

/** What is held up to a door: a number, and what is written on it. */
export interface Chip {
  uid: string;
  /** 32 hex digits; null: nothing of a hotel's */
  data: string | null;
}

const bytes = (hex: string): Buffer => Buffer.from(hex, "hex");

/** A lock as the protocol describes it, as far as cards go: what it was told, and whom it opens for. */
export class ModelLock {
  #setup: LockArgs["configure"] | undefined;
  #guestFloor = 0;
  #masterFloor = 0;
  readonly #blocked = new Map<string, string | null>();
  readonly #listed = new Map<number, LockArgs["set_credential"]>();

  obey({ type, args }: Pick<CommandMessage, "type" | "args">): void {
    switch (type) {
      case "configure": {
        const setup = lockArgs.configure.parse(args);
        this.#setup = setup;
        this.#guestFloor = Math.max(this.#guestFloor, setup.guestFloor);
        this.#masterFloor = Math.max(this.#masterFloor, setup.masterFloor);
        return;
      }
      case "raise_floor": {
        const { kind, floor } = lockArgs.raise_floor.parse(args);
        if (kind === "guest") this.#guestFloor = Math.max(this.#guestFloor, floor);
        else this.#masterFloor = Math.max(this.#masterFloor, floor);
        return;
      }
      case "block_card": {
        const { uid, until } = lockArgs.block_card.parse(args);
        this.#blocked.set(uid, until);
        return;
      }
      case "allow_card":
        this.#blocked.delete(lockArgs.allow_card.parse(args).uid);
        return;
      case "set_credential": {
        const credential = lockArgs.set_credential.parse(args);
        this.#listed.set(credential.slot, credential);
        return;
      }
      case "remove_credential":
        this.#listed.delete(lockArgs.remove_credential.parse(args).slot);
    }
  }

  /** The sequence that the record opened with, "listed" for a number let in without a record, null for a door that stays shut. */
  opensFor(chip: Chip, now: string): { sequence: number; kind: "guest" | "master" } | "listed" | null {
    const until = this.#blocked.get(chip.uid);
    if (until !== undefined && (until === null || until > now)) return null;
    const record = this.#recordOn(chip);
    const inTime = (from: string, to: string | null): boolean => from <= now && (to === null || to > now);
    const listed = [...this.#listed.values()].filter(
      ({ uid, validFrom, validTo }) => uid === chip.uid && inTime(validFrom, validTo),
    );
    if (listed.some(({ recordNeeded }) => !recordNeeded)) return "listed";
    if (!record || !inTime(record.validFrom, record.validTo)) return null;
    const { kind, lockNumber, sequence } = record;
    if (kind === "guest") {
      if (lockNumber !== this.#setup?.lockNumber || sequence < this.#guestFloor) return null;
      return { sequence, kind: "guest" };
    }
    if (lockNumber !== ALL_LOCKS || sequence < this.#masterFloor) return null;
    if (kind === "management" && listed.length === 0) return null;
    return { sequence, kind: "master" };
  }

  /** Someone holds it up: a newer record makes the lock refuse older ones. Says whether the door opened. */
  show(chip: Chip, now: string): boolean {
    const opened = this.opensFor(chip, now);
    if (opened !== null && opened !== "listed") {
      if (opened.kind === "guest") this.#guestFloor = Math.max(this.#guestFloor, opened.sequence);
      else this.#masterFloor = Math.max(this.#masterFloor, opened.sequence);
    }
    return opened !== null;
  }

  get floors(): { guestFloor: number; masterFloor: number } {
    return { guestFloor: this.#guestFloor, masterFloor: this.#masterFloor };
  }

  #recordOn({ uid, data }: Chip) {
    for (const keys of this.#setup?.keys ?? []) {
      if (data === null) return null;
      const record = decodeRecord(decryptRecord(keysOf(keys), uid, bytes(data)));
      if (!("fault" in record) && record.siteCode === keys.siteCode) return record;
    }
    return null;
  }
}

function keysOf(keys: LockArgs["configure"]["keys"][number]): CardKeys {
  if (keys.cipher === "aes") return { cipher: "aes", masterKey: bytes(keys.masterKey) };
  const { cipher, sectorKey, desKey, desIv } = keys;
  return { cipher, sectorKey: bytes(sectorKey), desKey: bytes(desKey), desIv: bytes(desIv) };
}
