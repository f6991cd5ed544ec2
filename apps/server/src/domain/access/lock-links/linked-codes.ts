import type { SystemScopes } from "../../../kernel/system-scope.ts";

/**
 * Returns the slot of the newest credential with this code on a TTLock lock, or null if the console did not issue it.
 */
export async function slotOfCode(
  scopes: SystemScopes,
  hotelId: number,
  address: string,
  code: string,
): Promise<number | null> {
  const scope = await scopes(hotelId);
  const credential = await scope?.reads.credential.findFirst({
    where: {
      codeHash: { in: scope.secrets.code.fingerprints(code) },
      lock: { driver: "ttlock", address, removedAt: null },
    },
    orderBy: { id: "desc" },
    select: { id: true },
  });
  return credential?.id ?? null;
}
