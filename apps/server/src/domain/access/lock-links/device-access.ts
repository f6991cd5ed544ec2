import { createHash, timingSafeEqual } from "node:crypto";
import { lockUser } from "@innkey/shared/locks/protocol";
import type pg from "pg";
import { z } from "zod";
import type { SealContext, SecretBox } from "../../../kernel/secret-box.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { baseOf, type LinkKind, openSettings } from "./device-links.ts";
import { type DeviceAccess, type DeviceAccount, type DeviceAccounts, type DeviceUser, storedMac } from "./driver.ts";

/** Hashes a broker password. One round of SHA-256 is enough because the password is long and random. */
export const accessHash = (password: string): Buffer<ArrayBuffer> => createHash("sha256").update(password).digest();

/**
 * Returns the stored forms of a broker password: a hash to check it, and the sealed password for brokers that need it.
 */
export const sealPassword = (box: SecretBox, password: string, context: SealContext) => ({
  accessHash: accessHash(password),
  accessBox: box.seal(password, context),
});
export const NO_PASSWORD = { accessHash: null, accessBox: null };

/** Seal context of a lock's broker password. */
export const lockAccessContext = (hotelId: number, row: number): SealContext => ({
  column: "lock.access_box",
  hotelId,
  row,
});

/** Seal context of a link's broker password. */
export const linkAccessContext = (hotelId: number, row: LinkKind): SealContext => ({
  column: "device_link.access_box",
  hotelId,
  row,
});

/** Returns the broker user name of a link. */
export const linkUser = (hotelId: number, kind: LinkKind): string => `${kind.replaceAll("_", "-")}-${hotelId}`;

/**
 * Notification that a lock lost its access or got a new password. The process that runs the broker closes the lock's
 * connections, except those with the login that is valid now: a lock can be quicker than this notification.
 */
export const accessNotification = z.object({
  topic: z.literal("device-access"),
  hotelId: z.int(),
  mac: z.string(),
  login: z.string().nullable(),
});

/** Shortened hash of a broker password: enough to tell one password of a lock from the next. */
const fingerprintOf = (hash: Uint8Array): string => Buffer.from(hash).toString("hex", 0, 8);

/** Notifies every process at commit that a lock must log in with its new password, if it has one. */
export async function notifyAccessChanged(
  tx: Transaction,
  mac: string,
  newHash: Uint8Array | null = null,
): Promise<void> {
  await tx.sql.rows(
    `SELECT pg_notify('innkey', jsonb_build_object(
       'topic', 'device-access', 'hotelId', $1::int, 'mac', $2::text, 'login', $3::text)::text)::text`,
    mac,
    newHash && fingerprintOf(newHash),
  );
}

const LOCK_USER = /^(\d{1,9})\/([0-9A-Fa-f]{12})$/;
const LINK_USER = /^(zigbee2mqtt|home-assistant)-(\d{1,9})$/;

interface AccessRow {
  access_hash: Buffer | null;
  settings_box: Buffer | null;
}

/** Authenticates locks and links at the broker with the passwords that the console issued. */
export class StoredDeviceAccess implements DeviceAccess, DeviceAccounts {
  readonly #pool: pg.Pool;
  readonly #box: SecretBox;

  constructor(pool: pg.Pool, box: SecretBox) {
    this.#pool = pool;
    this.#box = box;
  }

  async authenticate(user: string, password: string): Promise<DeviceUser | null> {
    const [, lockHotel, mac] = LOCK_USER.exec(user) ?? [];
    if (lockHotel && mac) return this.#authenticateLock(Number(lockHotel), storedMac(mac), password);
    const [, link, linkHotel] = LINK_USER.exec(user) ?? [];
    if (link && linkHotel) {
      return this.#authenticateLink(
        Number(linkHotel),
        link === "zigbee2mqtt" ? "zigbee2mqtt" : "home_assistant",
        password,
      );
    }
    return null;
  }

  async accounts(): Promise<DeviceAccount[]> {
    return [...(await this.#lockAccounts()), ...(await this.#linkAccounts())];
  }

  async #lockAccounts(): Promise<DeviceAccount[]> {
    const { rows } = await this.#pool.query<{ id: number; hotelId: number; mac: string; box: Buffer }>(
      `SELECT id, hotel_id AS "hotelId", mac, access_box AS box FROM lock
        WHERE driver = 'mqtt' AND deleted_at IS NULL AND access_box IS NOT NULL ORDER BY id`,
    );
    return rows.flatMap(({ id, hotelId, mac, box }) => {
      const password = this.#box.open(box, lockAccessContext(hotelId, id));
      return password === null
        ? []
        : [{ user: lockUser(hotelId, mac), password, identity: { kind: "lock", hotelId, mac } }];
    });
  }

  async #linkAccounts(): Promise<DeviceAccount[]> {
    const { rows } = await this.#pool.query<{ hotelId: number; kind: LinkKind; box: Buffer; settings: Buffer }>(
      `SELECT hotel_id AS "hotelId", kind, access_box AS box, settings_box AS settings FROM device_link
        WHERE access_box IS NOT NULL ORDER BY hotel_id, kind`,
    );
    return rows.flatMap(({ hotelId, kind, box, settings }) => {
      const password = this.#box.open(box, linkAccessContext(hotelId, kind));
      const opened = openSettings(this.#box, { hotelId, kind, box: settings });
      const base = opened && baseOf(opened);
      if (password === null || !base || kind === "ttlock") return [];
      return [{ user: linkUser(hotelId, kind), password, identity: { kind: "link", hotelId, link: kind, base } }];
    });
  }

  async #authenticateLock(hotelId: number, mac: string, password: string): Promise<DeviceUser | null> {
    const row = await this.#read(
      `SELECT access_hash, NULL::bytea AS settings_box FROM lock
        WHERE hotel_id = $1 AND mac = $2 AND deleted_at IS NULL`,
      hotelId,
      mac,
    );
    return isPasswordRight(row, password)
      ? { kind: "lock", hotelId, mac, login: fingerprintOf(accessHash(password)) }
      : null;
  }

  async #authenticateLink(
    hotelId: number,
    link: "zigbee2mqtt" | "home_assistant",
    password: string,
  ): Promise<DeviceUser | null> {
    const row = await this.#read(
      "SELECT access_hash, settings_box FROM device_link WHERE hotel_id = $1 AND kind = $2::device_link_kind",
      hotelId,
      link,
    );
    if (!isPasswordRight(row, password) || !row?.settings_box) return null;
    const settings = openSettings(this.#box, { hotelId, kind: link, box: row.settings_box });
    const base = settings && baseOf(settings);
    return base ? { kind: "link", hotelId, link, base } : null;
  }

  async #read(text: string, hotelId: number, name: string): Promise<AccessRow | undefined> {
    return (await this.#pool.query<AccessRow>(text, [hotelId, name])).rows[0];
  }
}

/** Does the same work for an unknown user, so that the response time reveals nothing. */
function isPasswordRight(row: AccessRow | undefined, password: string): boolean {
  const hash = accessHash(password);
  const expected = row?.access_hash ?? Buffer.alloc(hash.length);
  return expected.length === hash.length && timingSafeEqual(expected, hash) && Boolean(row?.access_hash);
}
