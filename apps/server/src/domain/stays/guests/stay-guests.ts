import type { GuestInput } from "@innkey/shared/schemas/stays";
import type { Scope } from "../../../kernel/scope.ts";
import type { Unit } from "../../../kernel/unit.ts";
import { openDocumentNumber } from "./identity.ts";

/** The guests of a stay as they were entered, for comparing them with who is in the house. */
export async function readGuestInputs(scope: Scope, unit: Unit, stayId: number): Promise<GuestInput[]> {
  const rows = await unit.db.stayGuest.findMany({ where: { stayId }, include: { guest: true } });
  return rows.map(({ guest }) => ({
    name: guest.name,
    gender: guest.gender,
    nationality: guest.nationality,
    birthDate: guest.birthDate?.toISOString().slice(0, 10) ?? null,
    documentType: guest.documentType,
    documentNumber: openDocumentNumber(scope, guest.id, guest.documentNumberBox),
    mobile: guest.mobile,
    email: guest.email,
  }));
}
