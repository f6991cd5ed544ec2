-- The whole schema of the first release. Later migrations only add to it.
-- Prisma writes the tables from prisma/schema; what the schema language can't express stands before and after them.

CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

------------------------------------------------------------------------------------------------------------------------
-- Search: tables have generated columns of these functions, so they come first
------------------------------------------------------------------------------------------------------------------------

-- Returns a text without case, accents, width and punctuation, so that two spellings of a name compare as equal. It uses
-- only PostgreSQL's own rules and names their collation, so the result is the same in every database.
CREATE FUNCTION search_text(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN btrim(regexp_replace(
  normalize(
    regexp_replace(
      translate(
        replace(replace(replace(lower(normalize(value, NFKD) COLLATE pg_c_utf8), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
        'øłđðħıŋ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'olddhin01234567890123456789'),
      -- accents, breathings, vowel points of Arabic and Hebrew, its tatweel, and what has no width
      '[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640\u200b-\u200f]', '', 'g'),
    NFKC),
  '[^[:alnum:]]+' COLLATE pg_c_utf8, ' ', 'g'));

-- Builds the text that a row is found by: the name on the first line, everything else on the second, so that the
-- beginning of a name can be searched for. Both are cut: one character may become eighteen, and an index takes at most
-- 2,700 bytes.
CREATE FUNCTION search_key(name text, rest text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN left(search_text(name), 300) || E'\n' || left(search_text(rest), 300);

-- Whether a text is Chinese, Japanese or Korean throughout, where one or two characters are a word.
CREATE FUNCTION is_wide(value text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value ~ '^[\u1100-\u11ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]+$';

-- Returns what a search key is indexed by: every three consecutive characters of a word, its first one and first two
-- ("^a", "^an"), and in wide scripts also every one and two. pg_trgm finds nothing by fewer than three characters, and
-- in some locales nothing in wide scripts.
CREATE FUNCTION search_grams(key text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  SELECT coalesce(array_agg(DISTINCT gram), '{}')
    FROM regexp_split_to_table(key, '\s+') AS word
    CROSS JOIN LATERAL (
      SELECT '^' || left(word, 1) AS gram WHERE word <> ''
      UNION ALL SELECT '^' || left(word, 2) WHERE length(word) > 1
      UNION ALL SELECT substr(word, at, 3) FROM generate_series(1, length(word) - 2) AS at
      UNION ALL SELECT part FROM generate_series(1, length(word)) AS at, substr(word, at, 1) AS part WHERE is_wide(part)
      UNION ALL SELECT part FROM generate_series(1, length(word) - 1) AS at, substr(word, at, 2) AS part WHERE is_wide(part)
    ) AS grams
);

-- Returns the grams that a row must have to contain every word of `key`, which is a search_text: short words at the
-- beginning of a word, longer and wide ones anywhere.
CREATE FUNCTION search_needles(key text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  SELECT coalesce(array_agg(DISTINCT gram), '{}')
    FROM regexp_split_to_table(key, '\s+') AS word
    CROSS JOIN LATERAL (
      SELECT CASE WHEN is_wide(word) THEN word ELSE '^' || word END AS gram WHERE length(word) BETWEEN 1 AND 2
      UNION ALL SELECT substr(word, at, 3) FROM generate_series(1, length(word) - 2) AS at
    ) AS grams
);

------------------------------------------------------------------------------------------------------------------------
-- Tables, as Prisma writes them
------------------------------------------------------------------------------------------------------------------------

-- CreateEnum
CREATE TYPE "card_kind" AS ENUM ('guest', 'management', 'universal');

-- CreateEnum
CREATE TYPE "card_state" AS ENUM ('pending', 'active', 'revoking', 'revoked');

-- CreateEnum
CREATE TYPE "card_cipher" AS ENUM ('des_cbc', 'aes');

-- CreateEnum
CREATE TYPE "file_kind" AS ENUM ('room', 'avatar', 'face');

-- CreateEnum
CREATE TYPE "webhook_delivery_state" AS ENUM ('queued', 'delivered', 'failed');

-- CreateEnum
CREATE TYPE "export_state" AS ENUM ('queued', 'running', 'done', 'failed', 'cancelled');

-- CreateEnum
CREATE TYPE "outgoing_message_channel" AS ENUM ('sms', 'mail');

-- CreateEnum
CREATE TYPE "outgoing_message_state" AS ENUM ('queued', 'sent', 'failed');

-- CreateEnum
CREATE TYPE "lock_driver" AS ENUM ('mqtt', 'zigbee2mqtt', 'ttlock');

-- CreateEnum
CREATE TYPE "lock_command_type" AS ENUM ('configure', 'set_credential', 'remove_credential', 'block_card', 'allow_card', 'raise_floor', 'skip_code', 'set_clock', 'notice', 'unlock', 'read_back');

-- CreateEnum
CREATE TYPE "lock_error" AS ENUM ('full', 'duplicate', 'invalid', 'unsupported', 'busy', 'not_found', 'too_simple', 'refused', 'frozen', 'offline', 'no_answer', 'gateway', 'account', 'not_set_up', 'internal');

-- CreateEnum
CREATE TYPE "revoke_reason" AS ENUM ('reissued', 'superseded', 'by_hand', 'lost', 'checked_out', 'room_changed', 'new_guest', 'lock_moved', 'sequence_reset', 'erased', 'period_over');

-- CreateEnum
CREATE TYPE "delivery_error" AS ENUM ('timeout', 'unreachable', 'no_address', 'not_allowed', 'tls', 'secret', 'answer');

-- CreateEnum
CREATE TYPE "lock_command_state" AS ENUM ('queued', 'sent', 'acknowledged', 'failed', 'expired', 'superseded');

-- CreateEnum
CREATE TYPE "credential_kind" AS ENUM ('card', 'passcode', 'face');

-- CreateEnum
CREATE TYPE "credential_state" AS ENUM ('queued', 'sent', 'confirmed', 'used', 'failed', 'revoking', 'revoked');

-- CreateEnum
CREATE TYPE "passcode_type" AS ENUM ('air', 'custom', 'one_time');

-- CreateEnum
CREATE TYPE "unlock_style" AS ENUM ('card', 'passcode', 'face', 'remote', 'key', 'inside', 'fingerprint', 'unknown');

-- CreateEnum
CREATE TYPE "alert_kind" AS ENUM ('battery_low', 'tamper', 'wrong_codes', 'lock_offline', 'clock_drift', 'records_lost', 'command_failed', 'unmanaged_code', 'webhook_failing', 'codes_again', 'residual_keys');

-- CreateEnum
CREATE TYPE "device_link_kind" AS ENUM ('zigbee2mqtt', 'ttlock', 'home_assistant');

-- CreateEnum
CREATE TYPE "role" AS ENUM ('owner', 'administrator', 'staff');

-- CreateEnum
CREATE TYPE "gender" AS ENUM ('male', 'female', 'other');

-- CreateEnum
CREATE TYPE "session_end" AS ENUM ('signed_out', 'password_changed', 'frozen', 'revoked', 'two_step_changed', 'too_many');

-- CreateEnum
CREATE TYPE "folio_entry_type" AS ENUM ('room', 'renewal', 'exchange', 'deposit', 'payment', 'refund', 'recharge', 'withdrawal', 'deposit_used', 'deposit_kept');

-- CreateEnum
CREATE TYPE "ledger_account" AS ENUM ('receivable', 'revenue', 'deposits', 'cash', 'card', 'transfer', 'other', 'owner_funds');

-- CreateEnum
CREATE TYPE "payment_channel" AS ENUM ('cash', 'card', 'transfer', 'other');

-- CreateEnum
CREATE TYPE "line_kind" AS ENUM ('usual', 'weekend', 'special', 'hour', 'month', 'year', 'renewal', 'agreed');

-- CreateEnum
CREATE TYPE "withdrawal_account_type" AS ENUM ('bank', 'alipay', 'wechat', 'paypal', 'other');

-- CreateEnum
CREATE TYPE "room_condition" AS ENUM ('clean', 'dirty');

-- CreateEnum
CREATE TYPE "stay_unit" AS ENUM ('hour', 'day', 'month', 'year');

-- CreateEnum
CREATE TYPE "stay_state" AS ENUM ('reserved', 'checked_in', 'checked_out', 'cancelled');

-- CreateEnum
CREATE TYPE "occupancy_kind" AS ENUM ('stay', 'maintenance');

-- CreateEnum
CREATE TYPE "occupancy_state" AS ENUM ('held', 'in_house', 'ended', 'cancelled');

-- CreateEnum
CREATE TYPE "document_type" AS ENUM ('id_card', 'passport', 'driving_licence', 'residence_permit', 'other');

-- CreateEnum
CREATE TYPE "customer_kind" AS ENUM ('person', 'company');

-- CreateEnum
CREATE TYPE "two_step_policy" AS ENUM ('optional', 'administrators', 'everyone');

-- CreateEnum
CREATE TYPE "challenge_purpose" AS ENUM ('second_factor', 'passkey_login', 'totp_setup', 'passkey_setup', 'passkey_proof');

-- CreateTable
CREATE TABLE "backup_run" (
    "id" SERIAL NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "file" TEXT,
    "bytes" BIGINT,
    "rows" BIGINT,
    "verified_at" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "backup_run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "card_profile" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "cipher" "card_cipher" NOT NULL,
    "sectors" INTEGER[],
    "block" INTEGER NOT NULL,
    "key_type" TEXT NOT NULL,
    "site_code" INTEGER NOT NULL,
    "keys_box" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "card_profile_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "card" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "uid" TEXT NOT NULL,
    "kind" "card_kind" NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "state" "card_state" NOT NULL DEFAULT 'pending',
    "over_the_air" BOOLEAN NOT NULL DEFAULT false,
    "profile_id" INTEGER NOT NULL,
    "stay_id" INTEGER,
    "sequence" INTEGER NOT NULL,
    "lock_number" INTEGER,
    "zones" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_to" TIMESTAMPTZ(3),
    "issued_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmed_at" TIMESTAMPTZ(3),
    "used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoke_reason" "revoke_reason",
    "search_key" TEXT COLLATE "C" NOT NULL GENERATED ALWAYS AS (search_key(note, '')) STORED,

    CONSTRAINT "card_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "card_room" (
    "hotel_id" INTEGER NOT NULL,
    "card_id" INTEGER NOT NULL,
    "room_id" INTEGER NOT NULL,

    CONSTRAINT "card_room_pkey" PRIMARY KEY ("card_id","room_id")
);

-- CreateTable
CREATE TABLE "card_reader" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "device_no" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" INTEGER NOT NULL,
    "operator_id" INTEGER,
    "customer_id" INTEGER,
    "note" TEXT NOT NULL DEFAULT '',
    "last_seen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "card_reader_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hotel" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "address" TEXT NOT NULL DEFAULT '',
    "tel" TEXT NOT NULL DEFAULT '',
    "latitude" DOUBLE PRECISION,
    "longitude" DOUBLE PRECISION,
    "time_zone" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "language" TEXT NOT NULL DEFAULT 'en',
    "check_in_time" TEXT NOT NULL DEFAULT '14:00',
    "check_out_time" TEXT NOT NULL DEFAULT '12:00',
    "day_start_time" TEXT NOT NULL DEFAULT '05:00',
    "weekend_nights" INTEGER[] DEFAULT ARRAY[5, 6]::INTEGER[],
    "breakfast_from" TEXT NOT NULL DEFAULT '07:00',
    "breakfast_to" TEXT NOT NULL DEFAULT '10:00',
    "breakfast_price_minor" INTEGER NOT NULL DEFAULT 0,
    "wifi_name" TEXT NOT NULL DEFAULT '',
    "wifi_password" TEXT NOT NULL DEFAULT '',
    "notice" TEXT NOT NULL DEFAULT '',
    "access_early_minutes" INTEGER NOT NULL DEFAULT 0,
    "access_late_minutes" INTEGER NOT NULL DEFAULT 0,
    "retention_days" INTEGER,
    "record_months" INTEGER,
    "two_step" "two_step_policy" NOT NULL DEFAULT 'optional',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "hotel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hotel_state" (
    "hotel_id" INTEGER NOT NULL,
    "board_version" BIGINT NOT NULL DEFAULT 1,
    "audit_seq" BIGINT NOT NULL DEFAULT 0,
    "audit_hash" BYTEA NOT NULL,

    CONSTRAINT "hotel_state_pkey" PRIMARY KEY ("hotel_id")
);

-- CreateTable
CREATE TABLE "stored_file" (
    "id" UUID NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "kind" "file_kind" NOT NULL,
    "content_type" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stored_file_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "last_used_address" TEXT NOT NULL DEFAULT '',
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "secret_box" BYTEA NOT NULL,
    "previous_secret_box" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(3),
    "events" TEXT[],
    "disabled_at" TIMESTAMPTZ(3),
    "given_up" BOOLEAN NOT NULL DEFAULT false,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "next_try_at" TIMESTAMPTZ(3),
    "claimed_until" TIMESTAMPTZ(3),
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "id" UUID NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "webhook_id" INTEGER NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "event" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "state" "webhook_delivery_state" NOT NULL DEFAULT 'queued',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "last_status" INTEGER,
    "last_error" "delivery_error",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "export" (
    "id" UUID NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "operator_id" INTEGER NOT NULL,
    "list" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "request" JSONB NOT NULL,
    "state" "export_state" NOT NULL DEFAULT 'queued',
    "rows_done" INTEGER NOT NULL DEFAULT 0,
    "rows_total" INTEGER,
    "size_bytes" BIGINT,
    "error" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "alive_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "export_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "request_once" (
    "fingerprint" BYTEA NOT NULL,
    "held_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "request_once_pkey" PRIMARY KEY ("fingerprint")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" BIGSERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" INTEGER,
    "actor_name" TEXT NOT NULL,
    "door" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "entity" TEXT NOT NULL,
    "entity_id" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "prev_hash" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outgoing_message" (
    "id" UUID NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "channel" "outgoing_message_channel" NOT NULL,
    "recipient" TEXT NOT NULL,
    "subject" TEXT NOT NULL DEFAULT '',
    "body_box" BYTEA NOT NULL,
    "operator_id" INTEGER,
    "state" "outgoing_message_state" NOT NULL DEFAULT 'queued',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outgoing_message_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lock" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "room_id" INTEGER,
    "mac" TEXT NOT NULL,
    "bluetooth_name" TEXT NOT NULL DEFAULT '',
    "driver" "lock_driver" NOT NULL DEFAULT 'mqtt',
    "address" TEXT NOT NULL DEFAULT '',
    "power" INTEGER,
    "online" BOOLEAN NOT NULL DEFAULT false,
    "firmware" TEXT NOT NULL DEFAULT '',
    "last_seen_at" TIMESTAMPTZ(3),
    "drift_seconds" INTEGER,
    "access_hash" BYTEA,
    "access_box" BYTEA,
    "secret_box" BYTEA,
    "configured_at" TIMESTAMPTZ(3),
    "reset_at" TIMESTAMPTZ(3),
    "profile_id" INTEGER,
    "otp_next" BIGINT NOT NULL DEFAULT 0,
    "otp_floor" BIGINT NOT NULL DEFAULT 0,
    "pairing_box" BYTEA,
    "pairing_counter" BIGINT NOT NULL DEFAULT 0,
    "sequence_from" TIMESTAMPTZ(3),
    "guest_floor" INTEGER NOT NULL DEFAULT 0,
    "event_seq" BIGINT NOT NULL DEFAULT 0,
    "event_log" TEXT NOT NULL DEFAULT '',
    "event_base" BIGINT NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "breaker_opened_at" TIMESTAMPTZ(3),
    "last_error" "lock_error",
    "unmanaged" JSONB NOT NULL DEFAULT '[]',
    "read_back_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "lock_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lock_command" (
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "lock_id" INTEGER NOT NULL,
    "type" "lock_command_type" NOT NULL,
    "state" "lock_command_state" NOT NULL DEFAULT 'queued',
    "subject" TEXT NOT NULL,
    "credential_id" INTEGER,
    "card_id" INTEGER,
    "args_box" BYTEA,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "error" "lock_error",
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "opening_number" BIGINT,

    CONSTRAINT "lock_command_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credential" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "lock_id" INTEGER NOT NULL,
    "room_id" INTEGER,
    "kind" "credential_kind" NOT NULL,
    "state" "credential_state" NOT NULL DEFAULT 'queued',
    "card_id" INTEGER,
    "passcode_id" INTEGER,
    "face_id" INTEGER,
    "stay_id" INTEGER,
    "note" TEXT NOT NULL DEFAULT '',
    "code_hash" BYTEA,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_to" TIMESTAMPTZ(3),
    "at_lock_from" TIMESTAMPTZ(3),
    "at_lock_to" TIMESTAMPTZ(3),
    "fail_reason" "lock_error",
    "confirmed_at" TIMESTAMPTZ(3),
    "used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoke_reason" "revoke_reason",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credential_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "passcode" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "type" "passcode_type" NOT NULL,
    "code_box" BYTEA NOT NULL,
    "person" TEXT NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "stay_id" INTEGER,
    "room_id" INTEGER NOT NULL,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_to" TIMESTAMPTZ(3),
    "otp_counter" BIGINT,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),
    "search_key" TEXT COLLATE "C" NOT NULL GENERATED ALWAYS AS (search_key(person, '')) STORED,

    CONSTRAINT "passcode_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "face" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "note" TEXT NOT NULL,
    "file_id" UUID,
    "guest_id" INTEGER,
    "consent_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "face_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "unlock_record" (
    "id" BIGSERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "room_id" INTEGER,
    "lock_id" INTEGER NOT NULL,
    "lock_seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "received_at" TIMESTAMPTZ(3),
    "happened_at" TIMESTAMPTZ(3),
    "style" "unlock_style" NOT NULL,
    "success" BOOLEAN NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',
    "content" TEXT NOT NULL DEFAULT '',
    "source" TEXT NOT NULL DEFAULT 'lock',
    "operator_id" INTEGER,
    "stay_guest_id" INTEGER,
    "card_id" INTEGER,
    "credential_id" INTEGER,

    CONSTRAINT "unlock_record_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "kind" "alert_kind" NOT NULL,
    "lock_id" INTEGER,
    "room_id" INTEGER,
    "params" JSONB NOT NULL DEFAULT '{}',
    "count" INTEGER NOT NULL DEFAULT 1,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3),
    "resolved_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "device_link" (
    "hotel_id" INTEGER NOT NULL,
    "kind" "device_link_kind" NOT NULL,
    "settings_box" BYTEA NOT NULL,
    "access_hash" BYTEA,
    "access_box" BYTEA,
    "last_error" "lock_error",
    "last_seen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "device_link_pkey" PRIMARY KEY ("hotel_id","kind")
);

-- CreateTable
CREATE TABLE "zigbee_slot" (
    "hotel_id" INTEGER NOT NULL,
    "lock_id" INTEGER NOT NULL,
    "user_index" INTEGER NOT NULL,
    "credential_id" INTEGER,
    "status" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "zigbee_slot_pkey" PRIMARY KEY ("lock_id","user_index")
);

-- CreateTable
CREATE TABLE "linked_event" (
    "hotel_id" INTEGER NOT NULL,
    "lock_id" INTEGER NOT NULL,
    "seq" BIGINT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "linked_event_pkey" PRIMARY KEY ("lock_id","seq")
);

-- CreateTable
CREATE TABLE "lock_log" (
    "hotel_id" INTEGER NOT NULL,
    "lock_id" INTEGER NOT NULL,
    "log" TEXT NOT NULL,
    "base" BIGINT NOT NULL,
    "begun_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lock_log_pkey" PRIMARY KEY ("lock_id","log")
);

-- CreateTable
CREATE TABLE "operator" (
    "id" SERIAL NOT NULL,
    "mobile" TEXT,
    "email" TEXT,
    "name" TEXT NOT NULL,
    "gender" "gender",
    "nationality" TEXT,
    "birth_date" DATE,
    "avatar_file_id" UUID,
    "password_hash" TEXT NOT NULL,
    "password_changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "password_set_by_other" BOOLEAN NOT NULL DEFAULT false,
    "runs_installation" BOOLEAN NOT NULL DEFAULT false,
    "language" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "operator_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "membership" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "operator_id" INTEGER NOT NULL,
    "role" "role" NOT NULL,
    "capabilities" TEXT[],
    "api_key_auth" BOOLEAN NOT NULL DEFAULT false,
    "frozen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "membership_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "room_grant" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "membership_id" INTEGER NOT NULL,
    "room_id" INTEGER NOT NULL,
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),

    CONSTRAINT "room_grant_pkey" PRIMARY KEY ("membership_id","room_id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "operator_id" INTEGER NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "door" TEXT NOT NULL DEFAULT 'console',
    "address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL DEFAULT '',
    "factors" INTEGER NOT NULL DEFAULT 1,
    "device_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "proved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "end_reason" "session_end",

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "known_device" (
    "id" UUID NOT NULL,
    "operator_id" INTEGER NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "known_device_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "captcha" (
    "id" UUID NOT NULL,
    "answer_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "captcha_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recovery_code" (
    "id" UUID NOT NULL,
    "operator_id" INTEGER NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "by_handle" BOOLEAN NOT NULL DEFAULT false,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_limit" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "folio_entry" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "stay_id" INTEGER,
    "type" "folio_entry_type" NOT NULL,
    "amount_minor" INTEGER NOT NULL,
    "channel" "payment_channel",
    "refunds_entry_id" INTEGER,
    "note" TEXT NOT NULL DEFAULT '',
    "destination" TEXT NOT NULL DEFAULT '',
    "operator_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "folio_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "folio_entry_line" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "folio_entry_id" INTEGER NOT NULL,
    "occupancy_id" INTEGER,
    "kind" "line_kind" NOT NULL,
    "date" DATE NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "quantity" INTEGER NOT NULL,
    "unit_minor" INTEGER NOT NULL,
    "amount_minor" INTEGER NOT NULL,

    CONSTRAINT "folio_entry_line_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_entry" (
    "id" BIGSERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "folio_entry_id" INTEGER NOT NULL,
    "account" "ledger_account" NOT NULL,
    "amount_minor" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "withdrawal_account" (
    "hotel_id" INTEGER NOT NULL,
    "type" "withdrawal_account_type" NOT NULL,
    "name" TEXT NOT NULL,
    "bank" TEXT NOT NULL DEFAULT '',
    "number_box" BYTEA NOT NULL,
    "number_end" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "withdrawal_account_pkey" PRIMARY KEY ("hotel_id")
);

-- CreateTable
CREATE TABLE "night_audit" (
    "hotel_id" INTEGER NOT NULL,
    "date" DATE NOT NULL,
    "figures" JSONB NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "operator_id" INTEGER,
    "closed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "night_audit_pkey" PRIMARY KEY ("hotel_id","date")
);

-- CreateTable
CREATE TABLE "room_group" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "sort" INTEGER NOT NULL,

    CONSTRAINT "room_group_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "room" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "group_id" INTEGER,
    "name" TEXT NOT NULL,
    "remark_name" TEXT NOT NULL DEFAULT '',
    "description" TEXT NOT NULL DEFAULT '',
    "bulletin" TEXT NOT NULL DEFAULT '',
    "notice" TEXT NOT NULL DEFAULT '',
    "floor" INTEGER NOT NULL DEFAULT 0,
    "sort" INTEGER NOT NULL DEFAULT 0,
    "condition" "room_condition" NOT NULL DEFAULT 'clean',
    "picture_file_id" UUID,
    "card_sequence" INTEGER NOT NULL DEFAULT 0,
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "search_key" TEXT COLLATE "C" NOT NULL GENERATED ALWAYS AS (search_key(name, remark_name)) STORED,

    CONSTRAINT "room_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "room_price" (
    "room_id" INTEGER NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "deposit_minor" INTEGER NOT NULL DEFAULT 0,
    "usual_minor" INTEGER NOT NULL,
    "weekend_minor" INTEGER NOT NULL,
    "renewal_minor" INTEGER,
    "hour_minor" INTEGER,
    "month_minor" INTEGER,
    "year_minor" INTEGER,
    "template_id" INTEGER,

    CONSTRAINT "room_price_pkey" PRIMARY KEY ("room_id")
);

-- CreateTable
CREATE TABLE "room_price_date" (
    "hotel_id" INTEGER NOT NULL,
    "room_id" INTEGER NOT NULL,
    "date" DATE NOT NULL,
    "price_minor" INTEGER NOT NULL,

    CONSTRAINT "room_price_date_pkey" PRIMARY KEY ("room_id","date")
);

-- CreateTable
CREATE TABLE "price_template" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "deposit_minor" INTEGER NOT NULL DEFAULT 0,
    "usual_minor" INTEGER NOT NULL,
    "weekend_minor" INTEGER NOT NULL,
    "renewal_minor" INTEGER,
    "hour_minor" INTEGER,
    "month_minor" INTEGER,
    "year_minor" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "price_template_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "price_template_date" (
    "hotel_id" INTEGER NOT NULL,
    "template_id" INTEGER NOT NULL,
    "date" DATE NOT NULL,
    "price_minor" INTEGER NOT NULL,

    CONSTRAINT "price_template_date_pkey" PRIMARY KEY ("template_id","date")
);

-- CreateTable
CREATE TABLE "guest" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "gender" "gender",
    "nationality" TEXT,
    "birth_date" DATE,
    "document_type" "document_type",
    "document_number_box" BYTEA,
    "document_number_hash" BYTEA,
    "mobile" TEXT NOT NULL DEFAULT '',
    "email" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "documents_erased_at" TIMESTAMPTZ(3),
    "erased_at" TIMESTAMPTZ(3),
    "search_key" TEXT COLLATE "C" NOT NULL GENERATED ALWAYS AS (search_key(name, mobile)) STORED,

    CONSTRAINT "guest_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "customer" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "kind" "customer_kind" NOT NULL DEFAULT 'person',
    "name" TEXT NOT NULL,
    "mobile" TEXT NOT NULL DEFAULT '',
    "email" TEXT NOT NULL DEFAULT '',
    "company" TEXT NOT NULL DEFAULT '',
    "note" TEXT NOT NULL DEFAULT '',
    "frozen_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "search_key" TEXT COLLATE "C" NOT NULL GENERATED ALWAYS AS (search_key(name, company || ' ' || mobile || ' ' || email)) STORED,

    CONSTRAINT "customer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stay" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "state" "stay_state" NOT NULL,
    "unit" "stay_unit" NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "checked_in_at" TIMESTAMPTZ(3),
    "checked_out_at" TIMESTAMPTZ(3),
    "cancelled_at" TIMESTAMPTZ(3),
    "deposit_minor" INTEGER NOT NULL DEFAULT 0,
    "breakfast" BOOLEAN NOT NULL DEFAULT false,
    "other_information" TEXT NOT NULL DEFAULT '',
    "disable_old_cards" BOOLEAN NOT NULL DEFAULT true,
    "id_card_match" BOOLEAN NOT NULL DEFAULT false,
    "customer_id" INTEGER,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stay_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "occupancy" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "room_id" INTEGER NOT NULL,
    "stay_id" INTEGER,
    "kind" "occupancy_kind" NOT NULL DEFAULT 'stay',
    "state" "occupancy_state" NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3),
    "note" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "occupancy_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stay_guest" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "stay_id" INTEGER NOT NULL,
    "guest_id" INTEGER NOT NULL,
    "primary" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stay_guest_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "breakfast" (
    "hotel_id" INTEGER NOT NULL,
    "stay_guest_id" INTEGER NOT NULL,
    "date" DATE NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,
    "operator_id" INTEGER,

    CONSTRAINT "breakfast_pkey" PRIMARY KEY ("stay_guest_id","date")
);

-- CreateTable
CREATE TABLE "process_heartbeat" (
    "id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "parts" JSONB NOT NULL,

    CONSTRAINT "process_heartbeat_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_head" (
    "id" INTEGER NOT NULL,
    "noted_at" TIMESTAMPTZ(3) NOT NULL,
    "heads_box" BYTEA NOT NULL,

    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_check" (
    "id" SERIAL NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "entries" INTEGER NOT NULL,
    "whole" BOOLEAN NOT NULL,

    CONSTRAINT "audit_check_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operator_totp" (
    "operator_id" INTEGER NOT NULL,
    "secret_box" BYTEA NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_step" INTEGER NOT NULL,

    CONSTRAINT "operator_totp_pkey" PRIMARY KEY ("operator_id")
);

-- CreateTable
CREATE TABLE "operator_passkey" (
    "id" UUID NOT NULL,
    "operator_id" INTEGER NOT NULL,
    "credential_id" BYTEA NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "user_handle" BYTEA NOT NULL,
    "rp_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "backed_up" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "operator_passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "second_factor_code" (
    "operator_id" INTEGER NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "second_factor_code_pkey" PRIMARY KEY ("operator_id","code_hash")
);

-- CreateTable
CREATE TABLE "login_challenge" (
    "id" UUID NOT NULL,
    "purpose" "challenge_purpose" NOT NULL,
    "operator_id" INTEGER,
    "session_id" UUID,
    "nonce" BYTEA,
    "secret_box" BYTEA,
    "user_handle" BYTEA,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "login_challenge_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "backup_run_started_at_idx" ON "backup_run"("started_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "card_profile_hotel_id_id_key" ON "card_profile"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "card_hotel_id_uid_idx" ON "card"("hotel_id", "uid");

-- CreateIndex
CREATE INDEX "card_stay_id_idx" ON "card"("stay_id");

-- CreateIndex
CREATE UNIQUE INDEX "card_hotel_id_id_key" ON "card"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "card_room_hotel_id_room_id_idx" ON "card_room"("hotel_id", "room_id");

-- CreateIndex
CREATE UNIQUE INDEX "card_reader_hotel_id_id_key" ON "card_reader"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "card_reader_hotel_id_device_no_key" ON "card_reader"("hotel_id", "device_no");

-- CreateIndex
CREATE UNIQUE INDEX "stored_file_hotel_id_id_key" ON "stored_file"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_key_id_key" ON "api_key"("key_id");

-- CreateIndex
CREATE INDEX "api_key_hotel_id_created_at_idx" ON "api_key"("hotel_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hotel_id_id_key" ON "api_key"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_hotel_id_id_key" ON "webhook"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_hotel_id_webhook_id_number_idx" ON "webhook_delivery"("hotel_id", "webhook_id", "number" DESC);

-- CreateIndex
CREATE INDEX "export_hotel_id_operator_id_created_at_idx" ON "export"("hotel_id", "operator_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "export_state_alive_at_idx" ON "export"("state", "alive_at");

-- CreateIndex
CREATE INDEX "request_once_held_until_idx" ON "request_once"("held_until");

-- CreateIndex
CREATE INDEX "audit_entry_hotel_id_entity_entity_id_idx" ON "audit_entry"("hotel_id", "entity", "entity_id");

-- CreateIndex
CREATE UNIQUE INDEX "audit_entry_hotel_id_seq_key" ON "audit_entry"("hotel_id", "seq");

-- CreateIndex
CREATE INDEX "outgoing_message_state_next_try_at_idx" ON "outgoing_message"("state", "next_try_at");

-- CreateIndex
CREATE INDEX "outgoing_message_hotel_id_created_at_idx" ON "outgoing_message"("hotel_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "lock_hotel_id_id_key" ON "lock"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "lock_hotel_id_room_id_key" ON "lock"("hotel_id", "room_id");

-- CreateIndex
CREATE UNIQUE INDEX "lock_hotel_id_mac_key" ON "lock"("hotel_id", "mac");

-- CreateIndex
CREATE UNIQUE INDEX "lock_command_seq_key" ON "lock_command"("seq");

-- CreateIndex
CREATE INDEX "lock_command_lock_id_seq_idx" ON "lock_command"("lock_id", "seq" DESC);

-- CreateIndex
CREATE INDEX "lock_command_credential_id_idx" ON "lock_command"("credential_id");

-- CreateIndex
CREATE INDEX "lock_command_card_id_idx" ON "lock_command"("card_id");

-- CreateIndex
CREATE INDEX "credential_stay_id_idx" ON "credential"("stay_id");

-- CreateIndex
CREATE INDEX "credential_card_id_idx" ON "credential"("card_id");

-- CreateIndex
CREATE INDEX "credential_passcode_id_idx" ON "credential"("passcode_id");

-- CreateIndex
CREATE INDEX "credential_face_id_idx" ON "credential"("face_id");

-- CreateIndex
CREATE INDEX "credential_lock_id_state_idx" ON "credential"("lock_id", "state");

-- CreateIndex
CREATE UNIQUE INDEX "credential_hotel_id_id_key" ON "credential"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "passcode_hotel_id_created_at_idx" ON "passcode"("hotel_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "passcode_stay_id_idx" ON "passcode"("stay_id");

-- CreateIndex
CREATE UNIQUE INDEX "passcode_hotel_id_id_key" ON "passcode"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "face_hotel_id_id_key" ON "face"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "face_hotel_id_file_id_key" ON "face"("hotel_id", "file_id");

-- CreateIndex
CREATE INDEX "unlock_record_hotel_id_room_id_at_id_idx" ON "unlock_record"("hotel_id", "room_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "unlock_record_hotel_id_at_id_idx" ON "unlock_record"("hotel_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "unlock_record_lock_id_lock_seq_key" ON "unlock_record"("lock_id", "lock_seq");

-- CreateIndex
CREATE INDEX "alert_hotel_id_last_at_idx" ON "alert"("hotel_id", "last_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "alert_hotel_id_id_key" ON "alert"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "zigbee_slot_lock_id_credential_id_key" ON "zigbee_slot"("lock_id", "credential_id");

-- CreateIndex
CREATE UNIQUE INDEX "linked_event_lock_id_fingerprint_key" ON "linked_event"("lock_id", "fingerprint");

-- CreateIndex
CREATE UNIQUE INDEX "operator_mobile_key" ON "operator"("mobile");

-- CreateIndex
CREATE UNIQUE INDEX "operator_email_key" ON "operator"("email");

-- CreateIndex
CREATE INDEX "membership_operator_id_idx" ON "membership"("operator_id");

-- CreateIndex
CREATE UNIQUE INDEX "membership_hotel_id_operator_id_key" ON "membership"("hotel_id", "operator_id");

-- CreateIndex
CREATE UNIQUE INDEX "membership_hotel_id_id_key" ON "membership"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "room_grant_id_key" ON "room_grant"("id");

-- CreateIndex
CREATE INDEX "room_grant_hotel_id_room_id_idx" ON "room_grant"("hotel_id", "room_id");

-- CreateIndex
CREATE UNIQUE INDEX "session_token_hash_key" ON "session"("token_hash");

-- CreateIndex
CREATE INDEX "session_operator_id_ended_at_idx" ON "session"("operator_id", "ended_at");

-- CreateIndex
CREATE INDEX "session_hotel_id_operator_id_idx" ON "session"("hotel_id", "operator_id");

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");

-- CreateIndex
CREATE INDEX "session_device_id_idx" ON "session"("device_id");

-- CreateIndex
CREATE UNIQUE INDEX "known_device_operator_id_token_hash_key" ON "known_device"("operator_id", "token_hash");

-- CreateIndex
CREATE INDEX "captcha_expires_at_idx" ON "captcha"("expires_at");

-- CreateIndex
CREATE INDEX "recovery_code_operator_id_created_at_idx" ON "recovery_code"("operator_id", "created_at");

-- CreateIndex
CREATE INDEX "folio_entry_stay_id_idx" ON "folio_entry"("stay_id");

-- CreateIndex
CREATE INDEX "folio_entry_hotel_id_created_at_id_idx" ON "folio_entry"("hotel_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "folio_entry_hotel_id_id_key" ON "folio_entry"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "folio_entry_line_folio_entry_id_idx" ON "folio_entry_line"("folio_entry_id");

-- CreateIndex
CREATE INDEX "folio_entry_line_occupancy_id_idx" ON "folio_entry_line"("occupancy_id");

-- CreateIndex
CREATE INDEX "ledger_entry_folio_entry_id_idx" ON "ledger_entry"("folio_entry_id");

-- CreateIndex
CREATE INDEX "ledger_entry_hotel_id_account_created_at_idx" ON "ledger_entry"("hotel_id", "account", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "room_group_hotel_id_id_key" ON "room_group"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "room_group_hotel_id_name_key" ON "room_group"("hotel_id", "name");

-- CreateIndex
CREATE INDEX "room_hotel_id_group_id_idx" ON "room"("hotel_id", "group_id");

-- CreateIndex
CREATE UNIQUE INDEX "room_hotel_id_id_key" ON "room"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "room_price_hotel_id_room_id_key" ON "room_price"("hotel_id", "room_id");

-- CreateIndex
CREATE INDEX "room_price_date_hotel_id_room_id_idx" ON "room_price_date"("hotel_id", "room_id");

-- CreateIndex
CREATE UNIQUE INDEX "price_template_hotel_id_id_key" ON "price_template"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "price_template_hotel_id_name_key" ON "price_template"("hotel_id", "name");

-- CreateIndex
CREATE INDEX "price_template_date_hotel_id_template_id_idx" ON "price_template_date"("hotel_id", "template_id");

-- CreateIndex
CREATE INDEX "guest_hotel_id_document_number_hash_idx" ON "guest"("hotel_id", "document_number_hash");

-- CreateIndex
CREATE INDEX "guest_hotel_id_name_idx" ON "guest"("hotel_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "guest_hotel_id_id_key" ON "guest"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "customer_hotel_id_name_idx" ON "customer"("hotel_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "customer_hotel_id_id_key" ON "customer"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "stay_hotel_id_state_ends_at_idx" ON "stay"("hotel_id", "state", "ends_at");

-- CreateIndex
CREATE INDEX "stay_hotel_id_starts_at_idx" ON "stay"("hotel_id", "starts_at");

-- CreateIndex
CREATE INDEX "stay_hotel_id_customer_id_starts_at_idx" ON "stay"("hotel_id", "customer_id", "starts_at");

-- CreateIndex
CREATE INDEX "stay_hotel_id_checked_in_at_id_idx" ON "stay"("hotel_id", "checked_in_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "stay_hotel_id_id_key" ON "stay"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "occupancy_hotel_id_room_id_starts_at_idx" ON "occupancy"("hotel_id", "room_id", "starts_at");

-- CreateIndex
CREATE INDEX "occupancy_stay_id_id_idx" ON "occupancy"("stay_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "occupancy_hotel_id_id_key" ON "occupancy"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "stay_guest_guest_id_idx" ON "stay_guest"("guest_id");

-- CreateIndex
CREATE UNIQUE INDEX "stay_guest_hotel_id_id_key" ON "stay_guest"("hotel_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "stay_guest_stay_id_guest_id_key" ON "stay_guest"("stay_id", "guest_id");

-- CreateIndex
CREATE INDEX "breakfast_hotel_id_date_idx" ON "breakfast"("hotel_id", "date");

-- CreateIndex
CREATE UNIQUE INDEX "operator_passkey_credential_id_key" ON "operator_passkey"("credential_id");

-- CreateIndex
CREATE INDEX "operator_passkey_operator_id_idx" ON "operator_passkey"("operator_id");

-- CreateIndex
CREATE INDEX "login_challenge_expires_at_idx" ON "login_challenge"("expires_at");

-- CreateIndex
CREATE INDEX "login_challenge_operator_id_idx" ON "login_challenge"("operator_id");

-- CreateIndex
CREATE INDEX "login_challenge_session_id_idx" ON "login_challenge"("session_id");

-- AddForeignKey
ALTER TABLE "card_profile" ADD CONSTRAINT "card_profile_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card" ADD CONSTRAINT "card_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card" ADD CONSTRAINT "card_hotel_id_profile_id_fkey" FOREIGN KEY ("hotel_id", "profile_id") REFERENCES "card_profile"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card" ADD CONSTRAINT "card_hotel_id_stay_id_fkey" FOREIGN KEY ("hotel_id", "stay_id") REFERENCES "stay"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_room" ADD CONSTRAINT "card_room_hotel_id_card_id_fkey" FOREIGN KEY ("hotel_id", "card_id") REFERENCES "card"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_room" ADD CONSTRAINT "card_room_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_reader" ADD CONSTRAINT "card_reader_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_reader" ADD CONSTRAINT "card_reader_hotel_id_customer_id_fkey" FOREIGN KEY ("hotel_id", "customer_id") REFERENCES "customer"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hotel_state" ADD CONSTRAINT "hotel_state_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stored_file" ADD CONSTRAINT "stored_file_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_hotel_id_webhook_id_fkey" FOREIGN KEY ("hotel_id", "webhook_id") REFERENCES "webhook"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "export" ADD CONSTRAINT "export_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lock" ADD CONSTRAINT "lock_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lock" ADD CONSTRAINT "lock_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lock" ADD CONSTRAINT "lock_hotel_id_profile_id_fkey" FOREIGN KEY ("hotel_id", "profile_id") REFERENCES "card_profile"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lock_command" ADD CONSTRAINT "lock_command_hotel_id_lock_id_fkey" FOREIGN KEY ("hotel_id", "lock_id") REFERENCES "lock"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lock_command" ADD CONSTRAINT "lock_command_hotel_id_credential_id_fkey" FOREIGN KEY ("hotel_id", "credential_id") REFERENCES "credential"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lock_command" ADD CONSTRAINT "lock_command_hotel_id_card_id_fkey" FOREIGN KEY ("hotel_id", "card_id") REFERENCES "card"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_hotel_id_lock_id_fkey" FOREIGN KEY ("hotel_id", "lock_id") REFERENCES "lock"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_hotel_id_card_id_fkey" FOREIGN KEY ("hotel_id", "card_id") REFERENCES "card"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_hotel_id_passcode_id_fkey" FOREIGN KEY ("hotel_id", "passcode_id") REFERENCES "passcode"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_hotel_id_face_id_fkey" FOREIGN KEY ("hotel_id", "face_id") REFERENCES "face"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_hotel_id_stay_id_fkey" FOREIGN KEY ("hotel_id", "stay_id") REFERENCES "stay"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passcode" ADD CONSTRAINT "passcode_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passcode" ADD CONSTRAINT "passcode_hotel_id_stay_id_fkey" FOREIGN KEY ("hotel_id", "stay_id") REFERENCES "stay"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passcode" ADD CONSTRAINT "passcode_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "face" ADD CONSTRAINT "face_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "face" ADD CONSTRAINT "face_hotel_id_file_id_fkey" FOREIGN KEY ("hotel_id", "file_id") REFERENCES "stored_file"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "face" ADD CONSTRAINT "face_hotel_id_guest_id_fkey" FOREIGN KEY ("hotel_id", "guest_id") REFERENCES "guest"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "unlock_record" ADD CONSTRAINT "unlock_record_hotel_id_lock_id_fkey" FOREIGN KEY ("hotel_id", "lock_id") REFERENCES "lock"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_hotel_id_lock_id_fkey" FOREIGN KEY ("hotel_id", "lock_id") REFERENCES "lock"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "device_link" ADD CONSTRAINT "device_link_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "zigbee_slot" ADD CONSTRAINT "zigbee_slot_hotel_id_lock_id_fkey" FOREIGN KEY ("hotel_id", "lock_id") REFERENCES "lock"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "zigbee_slot" ADD CONSTRAINT "zigbee_slot_hotel_id_credential_id_fkey" FOREIGN KEY ("hotel_id", "credential_id") REFERENCES "credential"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "linked_event" ADD CONSTRAINT "linked_event_hotel_id_lock_id_fkey" FOREIGN KEY ("hotel_id", "lock_id") REFERENCES "lock"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lock_log" ADD CONSTRAINT "lock_log_hotel_id_lock_id_fkey" FOREIGN KEY ("hotel_id", "lock_id") REFERENCES "lock"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_grant" ADD CONSTRAINT "room_grant_hotel_id_membership_id_fkey" FOREIGN KEY ("hotel_id", "membership_id") REFERENCES "membership"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_grant" ADD CONSTRAINT "room_grant_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_device_id_fkey" FOREIGN KEY ("device_id") REFERENCES "known_device"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "known_device" ADD CONSTRAINT "known_device_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "folio_entry" ADD CONSTRAINT "folio_entry_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "folio_entry" ADD CONSTRAINT "folio_entry_hotel_id_stay_id_fkey" FOREIGN KEY ("hotel_id", "stay_id") REFERENCES "stay"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "folio_entry" ADD CONSTRAINT "folio_entry_hotel_id_refunds_entry_id_fkey" FOREIGN KEY ("hotel_id", "refunds_entry_id") REFERENCES "folio_entry"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "folio_entry_line" ADD CONSTRAINT "folio_entry_line_hotel_id_folio_entry_id_fkey" FOREIGN KEY ("hotel_id", "folio_entry_id") REFERENCES "folio_entry"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "folio_entry_line" ADD CONSTRAINT "folio_entry_line_hotel_id_occupancy_id_fkey" FOREIGN KEY ("hotel_id", "occupancy_id") REFERENCES "occupancy"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_hotel_id_folio_entry_id_fkey" FOREIGN KEY ("hotel_id", "folio_entry_id") REFERENCES "folio_entry"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "withdrawal_account" ADD CONSTRAINT "withdrawal_account_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "night_audit" ADD CONSTRAINT "night_audit_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_group" ADD CONSTRAINT "room_group_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room" ADD CONSTRAINT "room_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room" ADD CONSTRAINT "room_hotel_id_group_id_fkey" FOREIGN KEY ("hotel_id", "group_id") REFERENCES "room_group"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room" ADD CONSTRAINT "room_hotel_id_picture_file_id_fkey" FOREIGN KEY ("hotel_id", "picture_file_id") REFERENCES "stored_file"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_price" ADD CONSTRAINT "room_price_hotel_id_template_id_fkey" FOREIGN KEY ("hotel_id", "template_id") REFERENCES "price_template"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_price" ADD CONSTRAINT "room_price_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "room_price_date" ADD CONSTRAINT "room_price_date_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "price_template" ADD CONSTRAINT "price_template_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "price_template_date" ADD CONSTRAINT "price_template_date_hotel_id_template_id_fkey" FOREIGN KEY ("hotel_id", "template_id") REFERENCES "price_template"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guest" ADD CONSTRAINT "guest_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customer" ADD CONSTRAINT "customer_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stay" ADD CONSTRAINT "stay_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stay" ADD CONSTRAINT "stay_hotel_id_customer_id_fkey" FOREIGN KEY ("hotel_id", "customer_id") REFERENCES "customer"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "occupancy" ADD CONSTRAINT "occupancy_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "occupancy" ADD CONSTRAINT "occupancy_hotel_id_stay_id_fkey" FOREIGN KEY ("hotel_id", "stay_id") REFERENCES "stay"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stay_guest" ADD CONSTRAINT "stay_guest_hotel_id_stay_id_fkey" FOREIGN KEY ("hotel_id", "stay_id") REFERENCES "stay"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stay_guest" ADD CONSTRAINT "stay_guest_hotel_id_guest_id_fkey" FOREIGN KEY ("hotel_id", "guest_id") REFERENCES "guest"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "breakfast" ADD CONSTRAINT "breakfast_hotel_id_stay_guest_id_fkey" FOREIGN KEY ("hotel_id", "stay_guest_id") REFERENCES "stay_guest"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "operator_totp" ADD CONSTRAINT "operator_totp_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "operator_passkey" ADD CONSTRAINT "operator_passkey_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "second_factor_code" ADD CONSTRAINT "second_factor_code_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "login_challenge" ADD CONSTRAINT "login_challenge_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "login_challenge" ADD CONSTRAINT "login_challenge_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card" ADD CONSTRAINT "card_issued_by_id_fkey" FOREIGN KEY ("issued_by_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_reader" ADD CONSTRAINT "card_reader_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "folio_entry" ADD CONSTRAINT "folio_entry_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "night_audit" ADD CONSTRAINT "night_audit_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stored_file" ADD CONSTRAINT "stored_file_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "export" ADD CONSTRAINT "export_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outgoing_message" ADD CONSTRAINT "outgoing_message_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passcode" ADD CONSTRAINT "passcode_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "face" ADD CONSTRAINT "face_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stay" ADD CONSTRAINT "stay_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "breakfast" ADD CONSTRAINT "breakfast_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

------------------------------------------------------------------------------------------------------------------------
-- Instants
------------------------------------------------------------------------------------------------------------------------

-- Formats an instant in JSON that PostgreSQL builds: ISO 8601 in UTC with milliseconds, as everywhere else.
CREATE FUNCTION iso(at timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

------------------------------------------------------------------------------------------------------------------------
-- Stays, rooms and prices
------------------------------------------------------------------------------------------------------------------------

-- Reservations, guests in the house and maintenance share one constraint: no two live occupancies of a room overlap.
ALTER TABLE occupancy
  ADD CONSTRAINT occupancy_period CHECK (ends_at IS NULL OR ends_at >= starts_at),
  ADD CONSTRAINT occupancy_kind CHECK ((kind = 'maintenance') = (stay_id IS NULL) AND (kind = 'stay' OR state <> 'in_house')),
  ADD CONSTRAINT occupancy_open_end CHECK (ends_at IS NOT NULL OR kind = 'maintenance'),
  ADD CONSTRAINT occupancy_no_overlap EXCLUDE USING gist (room_id WITH =, tstzrange(starts_at, ends_at) WITH &&)
    WHERE (state IN ('held', 'in_house'));
-- A guest who overstays still has the room, although the planned period has ended.
CREATE UNIQUE INDEX occupancy_one_in_house ON occupancy (room_id) WHERE state = 'in_house';
-- A stay is in one room at a time.
CREATE UNIQUE INDEX occupancy_one_live_per_stay ON occupancy (stay_id) WHERE state IN ('held', 'in_house');
CREATE INDEX occupancy_live ON occupancy (hotel_id, room_id, starts_at) WHERE state IN ('held', 'in_house');
CREATE UNIQUE INDEX stay_guest_one_primary ON stay_guest (stay_id) WHERE "primary";
ALTER TABLE stay ADD CONSTRAINT stay_minimum CHECK (ends_at >= starts_at + interval '1 hour');
-- Queries about one day skip the stays that ended in earlier years.
CREATE INDEX stay_ended ON stay (hotel_id, coalesce(checked_out_at, cancelled_at, 'infinity'::timestamptz));

-- The name of a deleted room may be used again.
CREATE UNIQUE INDEX room_hotel_id_name_key ON room (hotel_id, name) WHERE deleted_at IS NULL;

ALTER TABLE room_price ADD CONSTRAINT room_price_positive CHECK (
  deposit_minor >= 0 AND usual_minor > 0 AND weekend_minor > 0 AND coalesce(renewal_minor, 1) > 0
  AND coalesce(hour_minor, 1) > 0 AND coalesce(month_minor, 1) > 0 AND coalesce(year_minor, 1) > 0);
ALTER TABLE room_price_date ADD CONSTRAINT room_price_date_positive CHECK (price_minor > 0);
ALTER TABLE price_template ADD CONSTRAINT price_template_positive CHECK (
  deposit_minor >= 0 AND usual_minor > 0 AND weekend_minor > 0 AND coalesce(renewal_minor, 1) > 0
  AND coalesce(hour_minor, 1) > 0 AND coalesce(month_minor, 1) > 0 AND coalesce(year_minor, 1) > 0);
ALTER TABLE price_template_date ADD CONSTRAINT price_template_date_positive CHECK (price_minor > 0);

ALTER TABLE hotel
  ADD CONSTRAINT hotel_access_buffers CHECK (access_early_minutes BETWEEN 0 AND 1440 AND access_late_minutes BETWEEN 0 AND 1440),
  ADD CONSTRAINT hotel_retention CHECK (retention_days BETWEEN 1 AND 3650),
  ADD CONSTRAINT hotel_record_months CHECK (record_months BETWEEN 1 AND 240);

------------------------------------------------------------------------------------------------------------------------
-- People
------------------------------------------------------------------------------------------------------------------------

CREATE INDEX guest_name_trgm ON guest USING gin (name gin_trgm_ops);
CREATE INDEX customer_name_trgm ON customer USING gin (name gin_trgm_ops);
CREATE INDEX customer_live_name ON customer (hotel_id, lower(name), id) WHERE deleted_at IS NULL;

CREATE INDEX guest_search_beginning ON guest (hotel_id, search_key) WHERE erased_at IS NULL;
CREATE INDEX customer_search_beginning ON customer (hotel_id, search_key);
CREATE INDEX passcode_search_beginning ON passcode (hotel_id, search_key);
CREATE INDEX guest_search_grams ON guest USING gin (search_grams(search_key));
CREATE INDEX customer_search_grams ON customer USING gin (search_grams(search_key));
CREATE INDEX card_search_grams ON card USING gin (search_grams(search_key)) WHERE note <> '';
CREATE INDEX passcode_search_grams ON passcode USING gin (search_grams(search_key));

------------------------------------------------------------------------------------------------------------------------
-- Money and the audit journal: written once
------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

-- Only the note of a folio entry may change: erasing a person removes them from it.
CREATE FUNCTION refuse_folio_entry_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - 'note' = to_jsonb(OLD) - 'note' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER folio_entry_append_only BEFORE UPDATE OR DELETE ON folio_entry FOR EACH ROW EXECUTE FUNCTION refuse_folio_entry_change();
CREATE TRIGGER folio_entry_line_append_only BEFORE UPDATE OR DELETE ON folio_entry_line FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE ON ledger_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entry_no_truncate BEFORE TRUNCATE ON ledger_entry EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_entry_no_truncate BEFORE TRUNCATE ON audit_entry EXECUTE FUNCTION refuse_change();

-- Double entry: when a transaction commits, the ledger entries of every folio entry it wrote sum to zero.
CREATE FUNCTION check_folio_entry_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT coalesce(sum(amount_minor), 0) FROM ledger_entry WHERE folio_entry_id = NEW.folio_entry_id) <> 0 THEN
    RAISE EXCEPTION 'ledger entries of folio entry % do not sum to zero', NEW.folio_entry_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_entry_balance AFTER INSERT ON ledger_entry
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_folio_entry_balance();

-- Only a person pays money out, never a program.
CREATE FUNCTION check_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT operator_id FROM folio_entry WHERE id = NEW.folio_entry_id) IS NULL THEN
    RAISE EXCEPTION 'folio entry % pays out money and names nobody who did', NEW.folio_entry_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entry_payout AFTER INSERT ON ledger_entry FOR EACH ROW
  WHEN (NEW.amount_minor < 0 AND NEW.account IN ('cash', 'card', 'transfer', 'other')) EXECUTE FUNCTION check_payout();

-- Few entries refund another one, and each entry of a list asks for them.
CREATE INDEX folio_entry_refunds ON folio_entry (refunds_entry_id) WHERE refunds_entry_id IS NOT NULL;

-- The hash of an audit entry covers the entry and the hash of the one before it.
CREATE FUNCTION audit_hash(entry audit_entry) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(entry.prev_hash || convert_to(jsonb_build_array(
    entry.hotel_id, entry.seq, extract(epoch FROM entry.at), entry.actor_kind, entry.actor_id, entry.actor_name, entry.door,
    entry.address, entry.request_id, entry.action, entry.entity, entry.entity_id, entry.before, entry.after)::text, 'UTF8'))
$$;

-- The last statement of every write: it appends the audit entries in order, raises the board's version, and notifies the
-- other desks at commit. The hotel's single state row is locked only here, so that writes of one hotel queue for a
-- moment and not for their whole duration.
CREATE FUNCTION commit_unit(p_hotel int, p_at timestamptz, p_actor jsonb, p_entries jsonb, p_board boolean)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  state hotel_state;
  item jsonb;
  entry audit_entry;
BEGIN
  SELECT * INTO STRICT state FROM hotel_state WHERE hotel_id = p_hotel FOR UPDATE;
  FOR item IN SELECT * FROM jsonb_array_elements(p_entries) LOOP
    state.audit_seq := state.audit_seq + 1;
    entry := ROW(nextval('audit_entry_id_seq'), p_hotel, state.audit_seq, date_trunc('milliseconds', p_at),
      p_actor ->> 'kind', (p_actor ->> 'id')::int, p_actor ->> 'name', p_actor ->> 'door', p_actor ->> 'address',
      p_actor ->> 'requestId', item ->> 'action', item ->> 'entity', item ->> 'entityId',
      nullif(item -> 'before', 'null'::jsonb), nullif(item -> 'after', 'null'::jsonb), state.audit_hash, ''::bytea);
    entry.hash := audit_hash(entry);
    INSERT INTO audit_entry SELECT entry.*;
    state.audit_hash := entry.hash;
  END LOOP;
  IF p_board THEN
    state.board_version := state.board_version + 1;
    PERFORM pg_notify('innkey', jsonb_build_object('topic', 'board', 'hotelId', p_hotel, 'version', state.board_version)::text);
  END IF;
  UPDATE hotel_state SET board_version = state.board_version, audit_seq = state.audit_seq, audit_hash = state.audit_hash
    WHERE hotel_id = p_hotel;
  RETURN state.board_version;
END $$;

------------------------------------------------------------------------------------------------------------------------
-- Webhooks
------------------------------------------------------------------------------------------------------------------------

CREATE INDEX webhook_delivery_waiting ON webhook_delivery (webhook_id, number) WHERE state = 'queued';
-- For the job that deletes deliveries after a month.
CREATE INDEX webhook_delivery_age ON webhook_delivery (created_at);

-- Notifies the senders at commit of every webhook that has a new delivery.
CREATE FUNCTION tell_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('innkey', jsonb_build_object('topic', 'webhooks', 'webhookId', w.webhook_id)::text)
    FROM (SELECT DISTINCT webhook_id FROM queued) AS w;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_delivery_told AFTER INSERT ON webhook_delivery
  REFERENCING NEW TABLE AS queued FOR EACH STATEMENT EXECUTE FUNCTION tell_webhooks();

------------------------------------------------------------------------------------------------------------------------
-- Card readers, cards and credentials
------------------------------------------------------------------------------------------------------------------------

ALTER TABLE card_reader
  ADD CONSTRAINT card_reader_type CHECK (type IN (1, 2, 3)),
  ADD CONSTRAINT card_reader_one_holder CHECK (operator_id IS NULL OR customer_id IS NULL);

CREATE UNIQUE INDEX card_profile_one_in_use ON card_profile (hotel_id) WHERE retired_at IS NULL;
ALTER TABLE card_profile ADD CONSTRAINT card_profile_sectors CHECK (cardinality(sectors) BETWEEN 1 AND 9);

-- A physical card has one live issue.
CREATE UNIQUE INDEX card_one_live ON card (hotel_id, uid) WHERE state IN ('pending', 'active');
CREATE INDEX card_of_lock ON card (hotel_id, lock_number) WHERE state <> 'revoked' AND NOT over_the_air;
-- A lock can't claim a higher sequence than the highest one issued for it.
CREATE INDEX card_sequence_of_lock ON card (lock_number, sequence DESC) WHERE lock_number IS NOT NULL;
CREATE INDEX card_residual ON card (hotel_id) WHERE state = 'revoking';
ALTER TABLE card
  ADD CONSTRAINT card_sequence_range CHECK (sequence BETWEEN 0 AND 65535),
  ADD CONSTRAINT card_records CHECK (NOT over_the_air OR (lock_number IS NULL AND zones = '{}'));

-- The codes of a lock differ while their periods overlap. A code that a lock may still accept can't be given out again.
ALTER TABLE credential
  ADD CONSTRAINT credential_window CHECK (valid_to IS NULL OR valid_to > valid_from),
  ADD CONSTRAINT credential_of_one_thing CHECK (num_nonnulls(card_id, passcode_id, face_id) = 1),
  ADD CONSTRAINT credential_code_unique EXCLUDE USING gist (lock_id WITH =, code_hash WITH =, tstzrange(valid_from, valid_to) WITH &&)
    WHERE (code_hash IS NOT NULL AND state <> 'revoked');
-- A card, passcode or face has one live credential at a lock.
CREATE UNIQUE INDEX credential_one_per_card ON credential (lock_id, card_id) WHERE card_id IS NOT NULL AND state <> 'revoked';
CREATE UNIQUE INDEX credential_one_per_passcode ON credential (lock_id, passcode_id) WHERE passcode_id IS NOT NULL AND state <> 'revoked';
CREATE UNIQUE INDEX credential_one_per_face ON credential (lock_id, face_id) WHERE face_id IS NOT NULL AND state <> 'revoked';
CREATE INDEX credential_residual ON credential (hotel_id) WHERE state = 'revoking';
-- Credentials that their lock accepts for longer than it should.
CREATE INDEX credential_reaching_further ON credential (valid_to)
  WHERE state NOT IN ('revoking', 'revoked') AND at_lock_from IS NOT NULL AND (at_lock_to IS NULL OR at_lock_to > valid_to);

------------------------------------------------------------------------------------------------------------------------
-- Locks
------------------------------------------------------------------------------------------------------------------------

-- A removed lock keeps its records and its number. The same device, registered again, is the same lock.
ALTER TABLE lock ADD CONSTRAINT lock_deleted_is_off CHECK (deleted_at IS NULL OR room_id IS NULL);
-- A lock behind a link is found by its name in the other system.
CREATE UNIQUE INDEX lock_one_per_address ON lock (hotel_id, driver, address) WHERE address <> '' AND deleted_at IS NULL;
ALTER TABLE zigbee_slot ADD CONSTRAINT zigbee_slot_index CHECK (user_index BETWEEN 0 AND 249);

-- A command loses its arguments when it ends. Null says so, because an empty box would look like one that no key opens.
ALTER TABLE lock_command ADD CONSTRAINT lock_command_args_until_end CHECK ((args_box IS NULL) = (ended_at IS NOT NULL));
CREATE INDEX lock_command_open ON lock_command (lock_id, seq) WHERE state IN ('queued', 'sent');
CREATE INDEX lock_command_due ON lock_command (next_try_at) WHERE state IN ('queued', 'sent');
CREATE INDEX lock_command_of_card ON lock_command (lock_id, subject, seq) WHERE type IN ('block_card', 'allow_card');

-- A lock has at most one open message of each kind.
CREATE UNIQUE INDEX alert_one_open ON alert (hotel_id, kind, coalesce(lock_id, 0)) WHERE resolved_at IS NULL;

-- Few unlock records name a guest, so the index holds only those.
CREATE INDEX unlock_record_person ON unlock_record (hotel_id, stay_guest_id, at DESC, id DESC) WHERE stay_guest_id IS NOT NULL;

-- Returns the first event number above all those that have a place at a lock. Each event log of a lock has 2^31 numbers of
-- its own, as many as a lock may count, so that no two logs ever meet. With 16 logs a day, the places of one lock (2^22
-- of them below 2^53) last for centuries.
CREATE FUNCTION free_event_base(lock_id int) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT ((greatest(l.event_seq, l.event_base,
      (SELECT max(k.base) FROM lock_log k WHERE k.lock_id = l.id),
      (SELECT max(u.lock_seq) FROM unlock_record u WHERE u.lock_id = l.id)) >> 31) + 1) << 31
  FROM lock l WHERE l.id = $1
$$;

-- Gives each new event log that locks name its place among the lock's numbers. The first log continues from the events
-- that the lock reported before it named any. At most 16 new logs of a lock get a place in a day, and the newest 64 are
-- remembered. The caller holds the locks' rows.
CREATE FUNCTION begin_lock_logs(lock_ids int[], logs text[], at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  new record;
BEGIN
  FOR new IN
    SELECT n.lock_id, n.log, l.hotel_id, l.event_base
    FROM (SELECT g.lock_id, g.log, min(g.turn) AS turn FROM unnest(lock_ids, logs) WITH ORDINALITY AS g (lock_id, log, turn) GROUP BY 1, 2) n
    JOIN lock l ON l.id = n.lock_id
    WHERE NOT EXISTS (SELECT FROM lock_log k WHERE k.lock_id = n.lock_id AND k.log = n.log)
    ORDER BY n.turn
  LOOP
    CONTINUE WHEN (SELECT count(*) >= 16 FROM lock_log k WHERE k.lock_id = new.lock_id AND k.begun_at > at - interval '1 day');
    INSERT INTO lock_log (hotel_id, lock_id, log, base, begun_at)
    VALUES (new.hotel_id, new.lock_id, new.log,
      CASE WHEN EXISTS (SELECT FROM lock_log k WHERE k.lock_id = new.lock_id) THEN free_event_base(new.lock_id) ELSE new.event_base END,
      at);
    DELETE FROM lock_log k WHERE k.lock_id = new.lock_id AND k.base <
      (SELECT o.base FROM lock_log o WHERE o.lock_id = new.lock_id ORDER BY o.base DESC OFFSET 63 LIMIT 1);
  END LOOP;
END $$;

-- A lock that is connected anew may be another device: it may name new logs again, and events that it reports without
-- naming a log begin at a place of their own.
CREATE FUNCTION begin_event_numbers(lock_id int) RETURNS void LANGUAGE sql AS $$
  UPDATE lock_log SET begun_at = to_timestamp(0) WHERE lock_log.lock_id = $1;
  UPDATE lock SET event_log = '', event_base = free_event_base(id) WHERE id = $1
    AND (event_seq > 0 OR EXISTS (SELECT FROM lock_log k WHERE k.lock_id = $1))
$$;

-- Returns the latest end that a key may have at its lock; null means no end.
CREATE FUNCTION furthest_end(valid_to timestamptz, at_lock_from timestamptz, at_lock_to timestamptz)
RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN valid_to IS NULL OR (at_lock_from IS NOT NULL AND at_lock_to IS NULL) THEN NULL
    ELSE greatest(valid_to, at_lock_to) END
$$;

-- Returns when a key really ends at its lock, by the lock's own clock. A slow clock adds what it is known to be behind. A
-- lock that was silent for more than a day before the end may have drifted by a second for each further hour. Both
-- together count for at most 30 days. Null means no end: a Zigbee lock knows no ends.
CREATE FUNCTION end_at_lock(valid_to timestamptz, driver lock_driver, drift_seconds int, last_seen_at timestamptz)
RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN valid_to IS NULL OR driver = 'zigbee2mqtt' THEN NULL
    ELSE valid_to + make_interval(secs => least(2592000, greatest(0, -coalesce(drift_seconds, 0)::float8)
      + greatest(0, coalesce((extract(epoch FROM valid_to - last_seen_at)::float8 - 86400) / 3600, 0)))) END
$$;

-- The revoked cards, the locks that they may still open, and until when (null: without end). This is the only place where
-- that is decided. A room record opens the lock whose number it carries, wherever that lock is now, even if it was removed
-- or is reached in another way since: until the lock refuses records of its sequence, or refuses all other records of the
-- card's UID for at least as long, because of a block or because it allows one other record. A card on a lock's list opens
-- until the lock has dropped it.
CREATE VIEW card_risk AS
  SELECT c.hotel_id, c.id AS card_id, l.id AS lock_id,
      end_at_lock(c.valid_to, 'mqtt', l.drift_seconds, l.last_seen_at) AS ends_at
    FROM card c JOIN lock l ON l.hotel_id = c.hotel_id AND l.id = c.lock_number
   WHERE c.state = 'revoking' AND NOT c.over_the_air AND l.guest_floor <= c.sequence
     AND NOT EXISTS (SELECT FROM lock_command k
          WHERE k.lock_id = l.id AND k.subject = 'card:' || c.uid AND k.state = 'acknowledged'
            AND (k.type = 'block_card' OR (k.type = 'allow_card' AND k.card_id <> c.id))
            AND (k.expires_at IS NULL OR k.expires_at >= c.valid_to)
            AND NOT EXISTS (SELECT FROM lock_command a
                 WHERE a.lock_id = l.id AND a.subject = k.subject AND a.type = 'allow_card' AND a.card_id = c.id
                   AND a.seq > k.seq AND a.state <> 'superseded'))
  UNION ALL
  SELECT c.hotel_id, c.id, t.lock_id,
      end_at_lock(furthest_end(t.valid_to, t.at_lock_from, t.at_lock_to), l.driver, l.drift_seconds, l.last_seen_at)
    FROM card c JOIN credential t ON t.hotel_id = c.hotel_id AND t.card_id = c.id
    JOIN lock l ON l.id = t.lock_id
   WHERE c.state = 'revoking' AND t.state <> 'revoked';

-- Each stay with its room: the one it is in, was in last, or is booked for. The columns of the room are subqueries, so that
-- a query that doesn't use them doesn't pay for them. The view has the rights of whoever reads it, as the server's role may
-- not delete stays.
CREATE VIEW stay_now WITH (security_invoker = true) AS
  SELECT s.*,
      (SELECT o.id FROM occupancy o WHERE o.stay_id = s.id ORDER BY o.id DESC LIMIT 1) AS occupancy_id,
      (SELECT o.room_id FROM occupancy o WHERE o.stay_id = s.id ORDER BY o.id DESC LIMIT 1) AS room_id
    FROM stay s;

-- The primary guest of each stay; `stay_guest_id` is the old clients' manage_id.
CREATE VIEW primary_guest WITH (security_invoker = true) AS
  SELECT sg.hotel_id, sg.stay_id, sg.id AS stay_guest_id, sg.guest_id, g.name
    FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id
   WHERE sg."primary";
