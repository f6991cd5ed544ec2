import type * as schema from "@innkey/shared/schemas/stays";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { moveFaces } from "../access/public.ts";
import { updateGuest } from "../stays/public.ts";

type Correction = z.infer<typeof schema.updateGuestInput>;

/** Corrects a guest within an existing transaction; the caller must have checked stays.manage. */
export async function correctGuestIn(scope: Scope, tx: Transaction, input: Correction): Promise<void> {
  const split = await updateGuest(scope, tx, input);
  if (split) await moveFaces(tx, split);
}

/**
 * Corrects a guest's identity until the stay ends. If the same person is also in a room that the caller can't see, the
 * guest of this stay becomes a person of their own, with the faces that open only this stay's doors, and the other one
 * stays unchanged. @throws state_conflict for a stay that is over, and for an erased guest
 */
export async function correctGuest(scope: Scope, input: Correction): Promise<{ stayGuestId: number }> {
  scope.require("stays.manage");
  await scope.write((tx) => correctGuestIn(scope, tx, input));
  return { stayGuestId: input.stayGuestId };
}
