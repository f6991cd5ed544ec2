import type { ImportColumn, ImportKind } from "@innkey/shared/imports/columns";
import type { TextKey } from "@/lib/i18n.ts";

/** Names of the import columns, used on screen and in the headings of the templates. */
export const COLUMN_LABELS: { readonly [Kind in ImportKind]: Readonly<Partial<Record<ImportColumn, TextKey>>> } = {
  rooms: {
    name: "room.name",
    group: "imports.group",
    floor: "room.floor",
    sort: "room.sort",
    remarkName: "room.remarkName",
    description: "room.description",
    bulletin: "room.bulletin",
    mac: "room.mac",
    bluetoothName: "room.bluetoothName",
    deposit: "prices.deposit",
    usual: "prices.usual",
    weekend: "prices.weekend",
    renewal: "prices.renewal",
    hour: "prices.hour",
    month: "prices.month",
    year: "prices.year",
  },
  guests: {
    name: "guest.name",
    gender: "guest.gender",
    nationality: "guest.nationality",
    birthDate: "guest.birthDate",
    documentType: "guest.documentType",
    documentNumber: "guest.documentNumber",
    mobile: "guest.mobile",
    email: "guest.email",
    room: "guest.room",
    arrival: "guest.arrival",
    departure: "guest.departure",
    price: "stay.agreedTotal",
  },
  customers: {
    kind: "customer.kind",
    name: "customer.name",
    mobile: "customer.mobile",
    email: "customer.email",
    company: "customer.company",
    note: "customer.note",
  },
};
