import { z } from "zod";
import * as words from "./words.ts";

/** The domain's closed vocabularies; the database's enums have the same words (a test keeps them equal). */
export const Role = z.enum(["owner", "administrator", "staff"]);
export type Role = z.infer<typeof Role>;

export const Gender = z.enum(["male", "female", "other"]);
export type Gender = z.infer<typeof Gender>;

export const StayUnit = z.enum(["hour", "day", "month", "year"]);
export type StayUnit = z.infer<typeof StayUnit>;

export const StayState = z.enum(["reserved", "checked_in", "checked_out", "cancelled", "no_show"]);
export type StayState = z.infer<typeof StayState>;

/** Status that the board shows; derived from stays, maintenance and cleaning, never stored. */
export const RoomStatus = z.enum(["vacant", "reserved", "checked_in", "dirty", "maintenance"]);
export type RoomStatus = z.infer<typeof RoomStatus>;

export const RoomCondition = z.enum(["clean", "dirty"]);
export type RoomCondition = z.infer<typeof RoomCondition>;

export const DocumentType = z.enum(["id_card", "passport", "driving_licence", "residence_permit", "other"]);
export type DocumentType = z.infer<typeof DocumentType>;

export const CustomerKind = z.enum(["person", "company"]);
export type CustomerKind = z.infer<typeof CustomerKind>;

export const FolioEntryType = z.enum(words.FOLIO_ENTRY_TYPES);
export type FolioEntryType = z.infer<typeof FolioEntryType>;

export const PaymentChannel = z.enum(words.PAYMENT_CHANNELS);
export type PaymentChannel = z.infer<typeof PaymentChannel>;

export const LineKind = z.enum(["usual", "weekend", "special", "hour", "month", "year", "renewal", "agreed"]);
export type LineKind = z.infer<typeof LineKind>;

export const UnlockStyle = z.enum(words.UNLOCK_STYLES);
export type UnlockStyle = z.infer<typeof UnlockStyle>;

export const FileKind = z.enum(["room", "avatar", "face", "logo"]);
export type FileKind = z.infer<typeof FileKind>;

export const LockDriver = z.enum(words.LOCK_DRIVERS);
export type LockDriver = z.infer<typeof LockDriver>;

export const LockCommandType = z.enum(words.LOCK_COMMAND_TYPES);
export type LockCommandType = z.infer<typeof LockCommandType>;

export const OpeningReason = z.enum(words.OPENING_REASONS);
export type OpeningReason = z.infer<typeof OpeningReason>;
export const StoredOpeningReason = z.enum(words.STORED_OPENING_REASONS);
export type StoredOpeningReason = z.infer<typeof StoredOpeningReason>;
export const LockCommandState = z.enum(words.LOCK_COMMAND_STATES);
export type LockCommandState = z.infer<typeof LockCommandState>;

export const CredentialKind = z.enum(words.CREDENTIAL_KINDS);
export type CredentialKind = z.infer<typeof CredentialKind>;

export const CredentialState = z.enum(words.CREDENTIAL_STATES);
export type CredentialState = z.infer<typeof CredentialState>;

export const PasscodeType = z.enum(words.PASSCODE_TYPES);
export type PasscodeType = z.infer<typeof PasscodeType>;

export const CardState = z.enum(words.CARD_STATES);
export type CardState = z.infer<typeof CardState>;

export const KeyStatus = z.enum(words.KEY_STATUSES);
export type KeyStatus = z.infer<typeof KeyStatus>;

export const CardKind = z.enum(words.CARD_KINDS);
export type CardKind = z.infer<typeof CardKind>;
export const SpareCardState = z.enum(words.SPARE_CARD_STATES);
export type SpareCardState = z.infer<typeof SpareCardState>;

export const RewriteReason = z.enum(words.REWRITE_REASONS);
export type RewriteReason = z.infer<typeof RewriteReason>;
export const DoorKind = z.enum(words.DOOR_KINDS);
export type DoorKind = z.infer<typeof DoorKind>;
export const AlertKind = z.enum(words.ALERT_KINDS);
export type AlertKind = z.infer<typeof AlertKind>;

export const RevokeReason = z.enum(words.REVOKE_REASONS);
export type RevokeReason = z.infer<typeof RevokeReason>;
export const LockErrorCode = z.enum(words.LOCK_ERRORS);
export type LockErrorCode = z.infer<typeof LockErrorCode>;

export const UnlockReason = z.enum(words.UNLOCK_REASONS);
export type UnlockReason = z.infer<typeof UnlockReason>;
