import type { LockErrorCode } from "@innkey/shared/enums";
import { z } from "zod";
import type { Relay, RelaySubscriber } from "../../../adapters/events/relay.ts";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { Secrets } from "../../../kernel/scope.ts";
import type { SealContext, SecretBox } from "../../../kernel/secret-box.ts";

/** Settings of a hotel's link to a system between the console and its locks. They are stored sealed. */
const linkSettings = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("zigbee2mqtt"), baseTopic: z.string() }),
  z.object({ kind: z.literal("home_assistant"), prefix: z.string() }),
  z.object({
    kind: z.literal("ttlock"),
    baseUrl: z.string(),
    clientId: z.string(),
    clientSecret: z.string(),
    account: z.string(),
    /** lower-case hex, as the cloud requires it */
    passwordMd5: z.string(),
    /** identifies the hotel in the address to which the cloud reports records */
    callbackSecret: z.string(),
  }),
]);
export type LinkSettings = z.infer<typeof linkSettings>;
export type LinkKind = LinkSettings["kind"];
export type SettingsOf<K extends LinkKind> = Extract<LinkSettings, { kind: K }>;

interface SealedSettings {
  hotelId: number;
  kind: LinkKind;
  box: Uint8Array;
}

const contextOf = ({ hotelId, kind }: Pick<SealedSettings, "hotelId" | "kind">): SealContext => ({
  column: "device_link.settings_box",
  hotelId,
  row: kind,
});

export const sealSettings = (box: SecretBox, hotelId: number, settings: LinkSettings): Buffer<ArrayBuffer> =>
  box.seal(JSON.stringify(settings), contextOf({ hotelId, kind: settings.kind }));

/**
 * Returns the settings, or null if the box can't be opened with the current key, belongs to another link or is invalid.
 */
export function openSettings(box: SecretBox, sealed: SealedSettings): LinkSettings | null {
  const text = box.open(sealed.box, contextOf(sealed));
  return text === null ? null : (linkSettings.safeParse(JSON.parse(text)).data ?? null);
}

/** Returns the base topic of a link, or null if it doesn't use the broker. */
export function baseOf(settings: LinkSettings): string | null {
  if (settings.kind === "ttlock") return null;
  return settings.kind === "zigbee2mqtt" ? settings.baseTopic : settings.prefix;
}

/** First level of the locks' own topics, see packages/shared/src/locks/protocol.ts. */
const LOCKS_ROOT = "lockd";

/** Checks whether a link may use a base topic: no empty levels, and neither the locks' nor the broker's own topics. */
export const isUsableBase = (base: string): boolean =>
  !base.startsWith("$") && base.split("/")[0] !== LOCKS_ROOT && !base.split("/").includes("");

/** Checks whether one base topic lies within the other. If so, their users could read each other's topics. */
export const basesOverlap = (one: string, other: string): boolean =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);

export type HotelLink<S extends LinkSettings = LinkSettings> = { hotelId: number; settings: S };

const linksNotification = z.object({ topic: z.literal("links"), hotelId: z.int() });
const RELOAD_RETRY_MS = 5_000;
const SAME_STATE_INTERVAL_MS = 60_000;

export interface DeviceLinksDeps {
  database: Pick<Database, "pool">;
  secrets: Pick<Secrets, "lock">;
  relay: Pick<Relay, "subscribe">;
  log: Logger;
}

/**
 * The links of all hotels, cached in memory because drivers need them for every message. Reloads after changes in any
 * process.
 */
export class DeviceLinks implements RelaySubscriber {
  /** address of the broker for locks and links */
  brokerUrl = "";
  /** whether we create the users; false for an external broker without dynamic security */
  ownBroker = true;
  /** allows a TTLock address on this machine, for tests */
  allowLoopback = false;
  readonly #deps: DeviceLinksDeps;
  readonly #listeners = new Set<() => void>();
  readonly #storedStates = new Map<string, { error: LockErrorCode | null; at: number }>();
  #links: HotelLink[] = [];
  #loading: Promise<void> = Promise.resolve();

  constructor(deps: DeviceLinksDeps) {
    this.#deps = deps;
    deps.relay.subscribe(this);
  }

  /** Loads the links. Must run once before the other methods; it runs again after every change. */
  load(): Promise<void> {
    this.#loading = this.#loading.then(() => this.#read());
    return this.#loading;
  }

  all<K extends LinkKind>(kind: K): HotelLink<SettingsOf<K>>[] {
    const isOfKind = (link: HotelLink): link is HotelLink<SettingsOf<K>> => link.settings.kind === kind;
    return this.#links.filter(isOfKind);
  }

  of<K extends LinkKind>(hotelId: number, kind: K): SettingsOf<K> | null {
    return this.all(kind).find((link) => link.hotelId === hotelId)?.settings ?? null;
  }

  /** Registers `listener`, which is called after every reload. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Stores the status of a link, null if it works. An unchanged status is written at most once a minute.
   */
  async storeState(hotelId: number, kind: LinkKind, error: LockErrorCode | null): Promise<void> {
    const key = `${hotelId}/${kind}`;
    const before = this.#storedStates.get(key);
    const now = performance.now();
    if (before && before.error === error && now - before.at < SAME_STATE_INTERVAL_MS) return;
    this.#storedStates.set(key, { error, at: now });
    const text = `UPDATE device_link SET last_error = $3::lock_error, last_seen_at = CASE WHEN $3 IS NULL THEN now() ELSE last_seen_at END
      WHERE hotel_id = $1 AND kind = $2::device_link_kind`;
    try {
      await this.#deps.database.pool.query(text, [hotelId, kind, error]);
    } catch (cause) {
      this.#storedStates.delete(key);
      this.#deps.log.warn({ err: cause }, "state of a link could not be stored");
    }
  }

  onMessage(message: unknown): void {
    if (linksNotification.safeParse(message).success) void this.load();
  }

  onGap(): void {
    void this.load();
  }

  async #read(): Promise<void> {
    const { database, secrets, log } = this.#deps;
    try {
      const { rows } = await database.pool.query<{ hotelId: number; kind: LinkKind; box: Buffer }>(
        `SELECT hotel_id AS "hotelId", kind, settings_box AS box FROM device_link ORDER BY hotel_id`,
      );
      this.#links = rows.flatMap(({ hotelId, kind, box }) => {
        const settings = openSettings(secrets.lock, { hotelId, kind, box });
        if (!settings) log.error({ hotelId, kind }, "settings of a link can't be read with the configured key");
        return settings ? [{ hotelId, settings }] : [];
      });
    } catch (error) {
      log.warn({ err: error }, "links to other systems could not be read, retrying");
      setTimeout(() => void this.load(), RELOAD_RETRY_MS).unref();
      return;
    }
    for (const listener of this.#listeners) listener();
  }
}
