import type { Database } from "../../apps/server/src/adapters/postgres/client.ts";
import type { LockName } from "../../apps/server/src/domain/access/lock-links/driver.ts";
import type { LockEvent } from "../../packages/shared/src/locks/protocol.ts";

/** A record as the bare INSERT writes it, with all fields resolved. */
export interface BareRecord {
  hotelId: number;
  roomId: number;
  lockId: number;
  seq: number;
  at: string;
  style: LockEvent["style"];
  success: boolean;
  reason: string;
  cardId: number | null;
  stayGuestId: number | null;
}

interface Door {
  lockId: number;
  roomId: number;
  mac: string;
  stayId: number | null;
  stayGuestId: number | null;
  cardId: number | null;
}

/** Records span half an hour, so that those written together have close times. */
const PERIOD_MS = 1_800_000;

/** The doors of a load hotel and their events: mostly guests with their cards, now and then a refusal. */
export interface Street {
  writeCards(): Promise<void>;
  /** the next events of all locks as finished rows, with the locks in turn */
  records(perLock: number): BareRecord[];
  /** the next events of each lock, in reports of `size` */
  reports(perLock: number, size: number): { name: LockName; events: LockEvent[] }[][];
  /** number of events generated so far */
  readonly eventCount: number;
}

export async function readStreet({ pool }: Database, hotelId: number): Promise<Street> {
  const { rows: doors } = await pool.query<Door>(
    `SELECT l.id AS "lockId", l.room_id AS "roomId", l.mac, o.stay_id AS "stayId", sg.id AS "stayGuestId", c.id AS "cardId"
       FROM lock l LEFT JOIN occupancy o ON o.room_id = l.room_id AND o.state IN ('held', 'in_house')
       LEFT JOIN stay_guest sg ON sg.stay_id = o.stay_id AND sg."primary"
       LEFT JOIN card c ON c.stay_id = o.stay_id
      WHERE l.hotel_id = $1 ORDER BY l.id`,
    [hotelId],
  );
  const uidOf = ({ lockId }: Door): string => lockId.toString(16).toUpperCase().padStart(8, "0");
  // Separate number ranges, so that the ingest never finds a gap.
  const next = { records: 1_000_000_000, reports: 1 };
  let eventCount = 0;

  const nextEvents = (what: keyof typeof next, perLock: number): LockEvent[][] => {
    const [first, now] = [next[what], Date.now()];
    next[what] += perLock;
    eventCount += perLock * doors.length;
    return doors.map((door) =>
      Array.from({ length: perLock }, (_, i) => {
        const refused = (first + i) % 25 === 0;
        return {
          seq: first + i,
          at: new Date(now - PERIOD_MS + Math.floor((i / perLock) * PERIOD_MS)).toISOString(),
          style: door.stayId === null ? "inside" : "card",
          success: !refused,
          ...(refused && { reason: "expired" as const }),
          ...(door.stayId !== null && { credential: { kind: "card", uid: uidOf(door), sequence: 1, card: "guest" } }),
        } satisfies LockEvent;
      }),
    );
  };

  return {
    get eventCount() {
      return eventCount;
    },
    async writeCards() {
      const guests = doors.filter(({ stayId }) => stayId !== null);
      await pool.query(
        `WITH profile AS (
           INSERT INTO card_profile (hotel_id, cipher, sectors, block, key_type, site_code, keys_box)
           VALUES ($1, 'aes', '{1}', 0, 'A', 1, '') RETURNING id)
         INSERT INTO card (hotel_id, uid, kind, state, profile_id, stay_id, lock_number, sequence, valid_from, valid_to, created_at)
         SELECT $1, x.uid, 'guest', 'active', profile.id, x.stay_id, x.lock_id, 1, now(), now() + interval '1 day', now() - interval '1 day'
           FROM profile, unnest($2::text[], $3::int[], $4::int[]) AS x (uid, stay_id, lock_id)`,
        [hotelId, guests.map(uidOf), guests.map(({ stayId }) => stayId), guests.map(({ lockId }) => lockId)],
      );
    },
    records(perLock) {
      const records = nextEvents("records", perLock);
      return Array.from({ length: perLock }, (_, i) => i).flatMap((i) =>
        doors.flatMap(({ lockId, roomId, cardId, stayGuestId }, n) => {
          const event = records[n]?.[i];
          if (!event) return [];
          const { seq: number, at, style, success, reason = "" } = event;
          return [{ hotelId, roomId, lockId, seq: number, at, style, success, reason, cardId, stayGuestId }];
        }),
      );
    },
    reports(perLock, size) {
      return nextEvents("reports", perLock).map((events, n) => {
        const name = { hotelId, mac: doors[n]?.mac ?? "" };
        const count = Math.ceil(events.length / size);
        return Array.from({ length: count }, (_, i) => ({ name, events: events.slice(i * size, (i + 1) * size) }));
      });
    },
  };
}
