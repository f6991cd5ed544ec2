/**
 * The busiest hour of a 500-room hotel, in words and numbers.
 *
 * It is a Sunday at a house that is full and turns over: 150 parties leave and 150 arrive within the same hour (a usual
 * busy hour has a third of that), at 20 desks and back offices that all have the room board open. Every arrival is priced,
 * checked in and paid, gets a card that is written and read back, and every third a door code; every departure is looked up,
 * settled and checked out, and its room cleaned. 30 parties stay on, 15 change rooms, 10 times two desks want the same room.
 * Doors: six unlocks a room, of a thousand locks (a door of each room, and as many of corridors, lifts and stores). The
 * shift changes, so 40 people log in. 12 lists leave as files. Two programs of the old console poll every 10 s and take a
 * tenth of the arrivals, and a card service writes a card a minute.
 *
 * A run does `factor` times as much of everything, people and programs included.
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

/** Open boards, each with its stream of changes; each reads the board anew whenever it changed. */
export const DESKS = 20;
export const UNLOCKS_PER_HOUR = 3_000;

/** What is measured first, while caches fill, counts as an act but not as memory. */
export const WARM_SHARE = 0.2;

/** How much more JavaScript may hold in the last third of the measured time than in the first. */
export const MAX_GROWTH = { share: 0.1, megabytes: 8 };

/** What docker-compose.yml gives the container of the console. */
export const MAX_RESIDENT_MB = 1024;

/** Longer than anything that the console waits for. */
export const GIVE_UP_MS = 40_000;
