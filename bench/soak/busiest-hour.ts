/**
 * The busiest hour of a 500-room hotel, in words and numbers.
 *
 * It is a Sunday at a full hotel with a complete turnover: 150 stays end and 150 begin within the same hour (a usual
 * busy hour has a third of that), at 20 desks and back offices that all have the room board open. Every arrival is
 * priced, checked in and paid, gets a card that is written and read back, and every third a door code; every departure
 * is looked up, settled and checked out, and its room cleaned. 30 stays are extended, 15 change rooms, and 10 times two
 * desks want the same room. Each room has six unlocks, spread over a thousand locks (the rooms' doors, and as many in
 * corridors, lifts and stores). The shift changes, so 40 people log in. 12 lists are exported as files. Two programs of
 * the old console poll every 10 s and handle a tenth of the arrivals, and a card service writes a card a minute.
 *
 * A run multiplies everything by `factor`, people and programs included.
 */
export const HOUR = {
  arrivals: 135,
  arrivalsOfOldClients: 15,
  departures: 150,
  cleaned: 150,
  doorCodes: 50,
  renewals: 30,
  moves: 15,
  takenRooms: 10,
  doorsOpened: 60,
  guestsLookedUp: 300,
  recordsLookedUp: 120,
  logins: 40,
  exports: 12,
  oldClientPolls: 720,
  cardsOfService: 60,
} as const;

export type Act = keyof typeof HOUR;
export const ACTS = Object.keys(HOUR) as Act[];

/** Open boards; each follows the stream of changes and merges the changed rooms. */
export const DESKS = 20;
export const UNLOCKS_PER_HOUR = 3_000;

/** The first part of a run fills caches: its requests count, but its memory is not measured. */
export const WARM_SHARE = 0.2;

/** Tolerated growth of the live JavaScript heap from the first to the last third of the measured time. */
export const MAX_GROWTH = { share: 0.1, megabytes: 8 };

/** Memory limit of the console's container in docker-compose.yml. */
export const MAX_RESIDENT_MB = 1024;

/** Longer than anything that the console waits for. */
export const GIVE_UP_MS = 40_000;
