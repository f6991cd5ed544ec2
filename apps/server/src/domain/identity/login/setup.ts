import { DomainError } from "@innkey/shared/errors";
import { languageOf } from "@innkey/shared/languages";
import type { setupInput } from "@innkey/shared/schemas/identity/auth";
import type { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import { actorOf, type HotelContext, type Scope, type ScopeFactory, SYSTEM_ACTOR } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { insertHotel, updateHotel } from "../../property/public.ts";
import { type Accounts, maskedAccount } from "./accounts.ts";
import { type PasswordHasher, requireUnguessable } from "./passwords.ts";
import type { Sessions, SignedIn } from "./sessions.ts";
import type { Visitor } from "./visitor.ts";

export type SetupInput = z.infer<typeof setupInput>;

/** Number of the advisory lock, so that only one transaction creates the first hotel; arbitrary. */
const SETUP_LOCK = 461_175_014;
/** Defaults of the hotel table's columns, needed before the row exists. */
const NEW_HOTEL = {
  ...{ checkInTime: "14:00", checkOutTime: "12:00", dayStartTime: "05:00", weekendNights: [5, 6] },
  ...{ accessEarlyMinutes: 0, accessLateMinutes: 0, hourFormat: "language" as const },
};

export interface Setup {
  /** Returns whether there is no hotel yet, so that the first visitor has to create it. */
  isNeeded(): Promise<boolean>;
  /**
   * Creates the first hotel and its owner, and logs the owner in.
   * @throws already_set_up, invalid_input for a weak password
   */
  create(visitor: Visitor, input: SetupInput): Promise<SignedIn>;
}

/** @throws already_set_up if there is another hotel */
async function requireNoOtherHotel(tx: Transaction): Promise<void> {
  await tx.sql.rows("SELECT pg_advisory_xact_lock($2::bigint)::text FROM (SELECT $1::int) AS hotel", SETUP_LOCK);
  const others = await tx.sql.rows("SELECT id FROM hotel WHERE id <> $1 LIMIT 1");
  if (others.length > 0) throw new DomainError("already_set_up");
}

/** Creates the transaction's hotel and its owner. Returns the owner's id. */
export async function createHotel(
  tx: Transaction,
  scope: Scope,
  owner: { name: string; account: string; passwordHash: string },
): Promise<number> {
  const { id, name, timeZone, currency } = scope.hotel;
  const createdAt = scope.now();
  await insertHotel(tx, scope.hotel, createdAt);
  const column = owner.account.includes("@") ? "email" : "mobile";
  const rows = await tx.sql.rows<{ id: number }>(
    `INSERT INTO operator (${column}, name, password_hash, password_changed_at, created_at)
      SELECT $2, $3, $4, $5, $5 FROM hotel WHERE id = $1 RETURNING id`,
    owner.account,
    owner.name,
    owner.passwordHash,
    createdAt,
  );
  const operatorId = rows[0]?.id;
  if (operatorId === undefined) throw new Error("the owner was not created");
  await tx.db.membership.create({ data: { hotelId: id, operatorId, role: "owner", apiKeyAuth: true, createdAt } });
  const after = { name, timeZone, currency, owner: maskedAccount(owner.account) };
  tx.audit({ action: "hotel.create", entity: "hotel", entityId: id, after });
  return operatorId;
}

export function createSetup(deps: {
  accounts: Accounts;
  database: Database;
  hasher: PasswordHasher;
  openScope: ScopeFactory;
  sessions: Sessions;
}): Setup {
  const { accounts, database, hasher, openScope, sessions } = deps;
  let hasHotel = false;

  async function createHotelContext(input: SetupInput["hotel"]): Promise<HotelContext> {
    const { rows } = await database.pool.query<{ id: number }>("SELECT nextval('hotel_id_seq')::int AS id");
    const id = rows[0]?.id;
    if (id === undefined) throw new Error("the sequence returned no id for the new hotel");
    return { ...NEW_HOTEL, ...input, id, language: languageOf(input.language).code };
  }

  return {
    async isNeeded() {
      hasHotel ||= await accounts.anyHotel();
      return !hasHotel;
    },

    async create(visitor, input) {
      if (await accounts.anyHotel()) throw new DomainError("already_set_up");
      const { account, name, password } = input.owner;
      await requireUnguessable(password, [account, name, input.hotel.name], "owner.password");
      const passwordHash = await hasher.hash(password);
      const hotel = await createHotelContext(input.hotel);
      const { language, channel, address, requestId } = visitor;
      const scope = openScope({ actor: SYSTEM_ACTOR, hotel, language, channel, address, requestId });
      const operatorId = await scope.write(async (tx) => {
        await requireNoOtherHotel(tx);
        const ownerId = await createHotel(tx, scope, { ...input.owner, passwordHash });
        await updateHotel(tx, { gettingReady: true });
        return ownerId;
      });
      hasHotel = true;
      const actor = actorOf({
        operatorId,
        name: input.owner.name,
        role: "owner",
        capabilities: [],
        roomIds: [],
        apiKeyAuth: true,
      });
      return sessions.begin(openScope({ actor, hotel, language, channel, address, requestId }), visitor, {
        how: "setup",
        factors: 1,
      });
    },
  };
}
