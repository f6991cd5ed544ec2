import type { PrismaClient } from "../../src/adapters/postgres/generated/client.ts";

/** Returns the contact details of a guest of a stay, as somebody sees them who opens the guest's page now. */
export const readContacts = (prisma: PrismaClient, stayGuestId: number): Promise<{ mobile: string; email: string }> =>
  prisma.guest.findFirstOrThrow({
    where: { stays: { some: { id: stayGuestId } } },
    select: { mobile: true, email: true },
  });
