import { z } from "zod";
import { ORDER_TYPES, UNLOCK_STYLES } from "./words.ts";

/** The domain's closed vocabularies; the database's enums carry the same words (a test holds them equal). */
export const Role = z.enum(["owner", "administrator", "staff"]);
export type Role = z.infer<typeof Role>;

export const Gender = z.enum(["male", "female", "other"]);
export type Gender = z.infer<typeof Gender>;

export const StayUnit = z.enum(["hour", "day", "month", "year"]);
export type StayUnit = z.infer<typeof StayUnit>;

export const StayState = z.enum(["reserved", "checked_in", "checked_out", "cancelled"]);
export type StayState = z.infer<typeof StayState>;

/** What the board shows; derived from stays, maintenance and the room's condition, never stored. */
export const RoomStatus = z.enum(["vacant", "reserved", "checked_in", "dirty", "maintenance"]);
export type RoomStatus = z.infer<typeof RoomStatus>;

export const RoomCondition = z.enum(["clean", "dirty"]);
export type RoomCondition = z.infer<typeof RoomCondition>;

export const DocumentType = z.enum(["id_card", "passport", "driving_licence", "residence_permit", "other"]);
export type DocumentType = z.infer<typeof DocumentType>;

export const CustomerKind = z.enum(["person", "company"]);
export type CustomerKind = z.infer<typeof CustomerKind>;

export const OrderType = z.enum(ORDER_TYPES);
export type OrderType = z.infer<typeof OrderType>;

export const PaymentChannel = z.enum(["cash", "card", "transfer", "other"]);
export type PaymentChannel = z.infer<typeof PaymentChannel>;

export const LineKind = z.enum(["usual", "weekend", "special", "hour", "month", "year", "renewal", "agreed"]);
export type LineKind = z.infer<typeof LineKind>;

export const UnlockStyle = z.enum(UNLOCK_STYLES);
export type UnlockStyle = z.infer<typeof UnlockStyle>;

export const FileKind = z.enum(["room", "avatar"]);
export type FileKind = z.infer<typeof FileKind>;
