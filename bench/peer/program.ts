import type { Answer } from "./client.ts";

export const READS = ["month", "today", "guests"] as const;
export type Read = (typeof READS)[number];

export const ACTS = ["reservation", "check-in"] as const;
export type Act = (typeof ACTS)[number];

/** The page with the month, as a browser opens it. */
export interface MonthPage {
  url: string;
  cookie: { name: string; value: string } | null;
  /** selector of a reservation */
  reservation: string;
}

/** One of the two programs with the hotel in it, ready to be measured. */
export interface MeasuredProgram {
  /** how many reservations it has */
  readonly reservations: number;
  read(name: Read): Promise<Answer>;
  /** @throws Error that says what is missing, if the answer is not the one that the read should give */
  check(name: Read, answer: Answer): void;
  monthPage(): MonthPage;
  /** Reserves the room that is kept for acts, from today on. Returns the reservation. */
  reserve(guest: string): Promise<number>;
  checkIn(reservation: number): Promise<void>;
  /** Frees the room for the next reservation. */
  clear(reservation: number): Promise<void>;
  /** the first process of the program and those of its database, whose children belong to it */
  pids(): Promise<number[]>;
  stop(): Promise<void>;
}

/** How many guests the lists of both programs show at once */
export const GUESTS_ON_A_PAGE = 200;

/** Nights of each reserved stay */
export const NIGHTS = 2;
