import { z } from "zod";
import { RoomCondition } from "../enums.ts";
import * as f from "./fields.ts";

/** An age public key: seals, and opens nothing. */
export const AGE_RECIPIENT = /^age1[02-9ac-hj-np-z]{58}$/;
export const MAX_RECIPIENTS = 5;
export const MAX_ROSTERS = 31;

const rosterCard = z.object({
  /** the last digits of its number; empty: an identity card, whose number is in no list */
  number: z.string(),
  /** null: no end */
  validTo: z.string().nullable(),
  /** nothing is written on it; it opens by its number alone */
  overTheAir: z.boolean(),
});
const rosterCode = z.object({ validFrom: z.string(), validTo: z.string().nullable(), once: z.boolean() });
const rosterStay = z.object({
  state: z.enum(["reserved", "checked_in"]),
  guests: z.array(z.string()),
  startsAt: z.string(),
  endsAt: z.string(),
  /** null: the reader may not see them */
  cards: z.array(rosterCard).nullable(),
  /** without their digits */
  codes: z.array(rosterCode).nullable(),
  faces: z.int().nullable(),
});
const rosterRoom = z.object({
  name: z.string(),
  condition: RoomCondition,
  maintenance: z.boolean(),
  /** who is here, then who comes today and tomorrow */
  stays: z.array(rosterStay),
});
export type RosterRoom = z.infer<typeof rosterRoom>;
export type RosterStay = z.infer<typeof rosterStay>;

/** What the desk needs while the console is away. The same as JSON in a sealed file. */
export const rosterSheet = z.object({
  hotelName: z.string(),
  timeZone: z.string(),
  language: z.string(),
  hourFormat: z.string(),
  madeAt: z.string(),
  /** by name */
  rooms: z.array(rosterRoom),
});
export type RosterSheet = z.infer<typeof rosterSheet>;

export const rosterSettings = z.object({
  recipients: z.array(z.string().trim().regex(AGE_RECIPIENT, f.v.ageRecipient)).max(MAX_RECIPIENTS, f.v.ageRecipient),
  time: f.timeOfDay,
  keep: z.int({ error: f.v.integer }).min(1, f.v.rosterKeep).max(MAX_ROSTERS, f.v.rosterKeep),
});
export type RosterSettings = z.infer<typeof rosterSettings>;

export const rosterRow = z.object({
  id: z.int(),
  madeAt: z.string(),
  /** made by itself, for this date of the hotel; null: somebody asked for it */
  night: z.string().nullable(),
  fileName: z.string(),
  sizeBytes: z.int(),
  rooms: z.int(),
  guests: z.int(),
  copiedAt: z.string().nullable(),
  hasCopyFailed: z.boolean(),
  madeBy: z.string().nullable(),
});
export type RosterRow = z.infer<typeof rosterRow>;
export const rostersOverview = z.object({
  settings: rosterSettings,
  /** whether the server has a folder into which it copies each file */
  hasFolder: z.boolean(),
  /** newest first */
  rows: z.array(rosterRow),
});
export type RostersOverview = z.infer<typeof rostersOverview>;

/** The end of a guest's card number, as the browser keeps it for when the server is away. */
export const cardEnding = z.object({
  roomName: z.string(),
  /** the last four characters of the number */
  number: z.string(),
  validTo: z.string().nullable(),
});
export type CardEnding = z.infer<typeof cardEnding>;
