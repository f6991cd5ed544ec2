import { DomainError } from "@innkey/shared/errors";
import type { CardReaderHolder } from "@innkey/shared/schemas/access/card-readers";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";

interface StoredCardReader {
  deviceNo: string;
  name: string;
  type: number;
  note: string;
  holder: CardReaderHolder | null;
}

/** Returns the card reader with its row locked for this transaction. @throws not_found */
export async function lockedCardReader(tx: Transaction, id: number): Promise<StoredCardReader> {
  const [row] = await tx.sql.rows<StoredCardReader>(
    `SELECT device_no AS "deviceNo", name, type, note,
        CASE WHEN operator_id IS NOT NULL THEN jsonb_build_object('kind', 'operator', 'id', operator_id)
          WHEN customer_id IS NOT NULL THEN jsonb_build_object('kind', 'customer', 'id', customer_id) END AS holder
      FROM card_reader WHERE hotel_id = $1 AND id = $2::int FOR UPDATE`,
    id,
  );
  if (!row) throw new DomainError("not_found");
  return row;
}

/**
 * Checks that no other card reader has the device number; a unique index refuses the second of two simultaneous
 * registrations. @throws device_taken at the field
 */
export async function requireFreeNumber(tx: Transaction, deviceNo: string, id: number | undefined): Promise<void> {
  const duplicate = await tx.db.cardReader.findFirst({
    where: { deviceNo, NOT: { id: id ?? 0 } },
    select: { id: true },
  });
  if (duplicate) throw new DomainError("device_taken", {}, { deviceNo: { key: "errors.device_taken" } });
}

/**
 * Checks that the holder is a staff member who isn't frozen, or a customer who exists and whom the caller may see.
 * @throws not_found
 */
export async function requireHolder(scope: Scope, tx: Transaction, { kind, id }: CardReaderHolder): Promise<void> {
  if (kind === "customer" && !scope.can("customers.view")) throw new DomainError("not_found");
  const from =
    kind === "operator"
      ? "membership WHERE hotel_id = $1 AND operator_id = $2::int AND frozen_at IS NULL"
      : "customer WHERE hotel_id = $1 AND id = $2::int AND deleted_at IS NULL";
  const rows = await tx.sql.rows(`SELECT id FROM ${from} FOR SHARE`, id);
  if (rows.length === 0) throw new DomainError("not_found");
}
