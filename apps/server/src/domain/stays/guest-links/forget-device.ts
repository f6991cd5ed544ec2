import type { GuestVisit } from "./guest-entrance.ts";
import { deviceHash } from "./guest-secrets.ts";

/** Makes the hotel recognise no guest in a browser any more, by whichever of its links they were recognised. */
export async function forgetDevice({ scope, linkId }: GuestVisit, deviceToken: string | undefined): Promise<void> {
  const hash = deviceHash(deviceToken);
  if (!hash) return;
  await scope.write(async (tx) => {
    const forgotten = await tx.sql.rows<{ linkId: number }>(
      `DELETE FROM guest_link_device WHERE hotel_id = $1 AND token_hash = $2::bytea RETURNING link_id AS "linkId"`,
      hash,
    );
    if (forgotten.length === 0) return;
    // The desk's screens show in how many browsers the guest is recognised; they follow the link.
    await tx.db.guestLink.updateMany({ where: { id: linkId }, data: { seenAt: scope.now() } });
  });
}
