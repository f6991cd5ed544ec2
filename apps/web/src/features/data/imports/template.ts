import { addDays, type LocalDate } from "@innkey/shared/hotel-time";
import type { ImportColumn, ImportKind } from "@innkey/shared/imports/columns";
import { t } from "@/lib/i18n.ts";
import { COLUMN_LABELS } from "./column-labels.ts";

type Sample = Partial<Record<ImportColumn, string>>;

function samplesOf(kind: ImportKind, today: LocalDate): Sample[] {
  if (kind === "rooms") {
    const prices = { deposit: "50", usual: "95", weekend: "110" };
    return [
      { name: "101", group: t("imports.sample.group"), floor: "1", sort: "1", ...prices },
      {
        ...{ name: "102", group: t("imports.sample.group"), floor: "1", sort: "2", ...prices },
        remarkName: t("imports.sample.note"),
      },
    ];
  }
  if (kind === "guests") {
    const stay = { room: "101", arrival: `${addDays(today, 1)} 15:00`, departure: `${addDays(today, 3)} 11:00` };
    return [
      {
        ...{ name: t("imports.sample.first"), gender: t("guest.genderOf.female"), birthDate: "1990-05-17", ...stay },
        ...{ documentType: t("guest.document.passport"), documentNumber: "X1234567", email: "first@example.com" },
      },
      {
        ...{ name: t("imports.sample.second"), gender: t("guest.genderOf.male"), birthDate: "1988-11-02", ...stay },
        ...{ documentType: t("guest.document.id_card"), documentNumber: "Y7654321", email: "second@example.com" },
      },
    ];
  }
  return [
    { kind: t("customer.kindOf.person"), name: t("imports.sample.first"), email: "first@example.com" },
    {
      ...{ kind: t("customer.kindOf.company"), name: t("imports.sample.second"), email: "office@example.com" },
      company: t("imports.sample.company"),
    },
  ];
}

/** Returns a table to fill in, in the person's language: its headings, and two rows as an example. */
export function templateOf(kind: ImportKind, today: LocalDate): string[][] {
  const columns = Object.entries(COLUMN_LABELS[kind]);
  const samples = samplesOf(kind, today);
  return [
    columns.map(([, key]) => t(key)),
    ...samples.map((sample) => columns.map(([column]) => sample[column as ImportColumn] ?? "")),
  ];
}
