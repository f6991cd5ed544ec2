import type { Capability } from "./capabilities.ts";

/**
 * Lists that can be exported as a file: each with its required capability, its name and its columns with their
 * headings.
 */
export const EXPORT_LISTS = {
  rooms: {
    capability: "rooms.view",
    title: "nav.rooms",
    columns: {
      name: "board.room",
      remarkName: "room.remarkName",
      group: "board.group",
      floor: "board.floor",
      status: "board.status",
      guest: "board.guest",
      arrival: "stay.arrival",
      departure: "stay.departure",
      price: "board.price",
      currency: "setup.currency",
      lock: "board.lock",
      power: "locks.power",
    },
  },
  guests: {
    capability: "stays.view",
    title: "nav.guests",
    columns: {
      name: "guest.name",
      state: "guest.stateLabel",
      room: "guest.room",
      arrival: "guest.arrival",
      departure: "guest.departure",
      mobile: "guest.mobile",
      nationality: "guest.nationality",
      documentNumber: "guest.documentNumber",
      breakfast: "guest.breakfast",
      primary: "guest.primary",
      otherInformation: "guest.otherInformation",
    },
  },
  history: {
    capability: "stays.view",
    title: "nav.history",
    columns: {
      guest: "stay.guest",
      otherGuests: "exports.column.otherGuests",
      rooms: "card.rooms",
      checkedIn: "guest.arrived",
      checkedInBy: "exports.column.checkedInBy",
      checkedOut: "guest.left",
      checkedOutBy: "exports.column.checkedOutBy",
    },
  },
  customers: {
    capability: "customers.view",
    title: "nav.customers",
    columns: {
      name: "customer.name",
      kind: "customer.kind",
      company: "customer.company",
      state: "customer.state",
      mobile: "customer.mobile",
      email: "customer.email",
      stays: "customer.stays",
      since: "customer.since",
      note: "customer.note",
    },
  },
  folio: {
    capability: "folio.view",
    title: "nav.folio",
    columns: {
      type: "folio.type",
      at: "folio.at",
      guest: "folio.guest",
      room: "folio.room",
      channel: "folio.channel",
      operator: "folio.operator",
      amount: "folio.amount",
      currency: "setup.currency",
      note: "folio.note",
    },
  },
  cards: {
    capability: "cards.view",
    title: "card.cards",
    columns: {
      note: "card.note",
      number: "card.number",
      kind: "reader.kind",
      state: "card.stateLabel",
      rooms: "card.rooms",
      guest: "stay.guest",
      locksKnow: "card.locksKnow",
      validFrom: "card.validFrom",
      validTo: "card.validTo",
      lastUsed: "card.lastUsed",
      issuedBy: "card.issuedBy",
      issued: "passcode.issued",
    },
  },
  passcodes: {
    capability: "passcodes.view",
    title: "nav.passcodes",
    columns: {
      person: "passcode.personColumn",
      type: "passcode.type",
      rooms: "passcode.rooms",
      validFrom: "passcode.validFrom",
      validTo: "passcode.validTo",
      state: "board.status",
      issued: "passcode.issued",
      operator: "folio.operator",
      note: "passcode.note",
    },
  },
  faces: {
    capability: "faces.view",
    title: "nav.faces",
    columns: {
      note: "face.note",
      guest: "face.guest",
      rooms: "card.rooms",
      state: "board.status",
      consent: "face.consentGiven",
      takenIn: "face.takenIn",
      operator: "folio.operator",
    },
  },
  locks: {
    capability: "locks.view",
    title: "nav.locks",
    columns: {
      room: "board.room",
      state: "locks.state",
      power: "locks.power",
      lastSeen: "room.lastSeen",
      waiting: "locks.waiting",
      driver: "room.driver",
      mac: "room.mac",
      bluetoothName: "room.bluetoothName",
      firmware: "room.firmware",
    },
  },
  unlocks: {
    capability: "unlocks.view",
    title: "nav.doorRecords",
    columns: {
      at: "room.unlockAt",
      room: "board.room",
      style: "room.unlockStyle",
      result: "room.unlockResult",
      reason: "status.note",
      guest: "stay.guest",
      holder: "doors.holder",
      operator: "room.operator",
      source: "room.unlockFrom",
      content: "room.unlockContent",
    },
  },
  alerts: {
    capability: "alerts.view",
    title: "nav.alerts",
    columns: {
      kind: "alert.kindLabel",
      text: "alert.what",
      door: "alert.door",
      state: "alert.state",
      count: "alert.times",
      last: "alert.last",
      first: "alert.first",
    },
  },
  staff: {
    capability: "staff.view",
    title: "nav.staff",
    columns: {
      name: "staff.name",
      state: "staff.state",
      role: "staff.role",
      mobile: "guest.mobile",
      email: "guest.email",
      rooms: "staff.rooms",
      twoStep: "staff.twoStep",
      lastSeen: "staff.lastSeen",
      registered: "staff.registered",
    },
  },
  cardReaders: {
    capability: "cardReaders.view",
    title: "nav.cardReaders",
    columns: {
      name: "customer.name",
      deviceNo: "exports.column.deviceNo",
      type: "reader.kind",
      holder: "exports.column.holder",
      lastSeen: "room.lastSeen",
      registered: "staff.registered",
      note: "customer.note",
    },
  },
  audit: {
    capability: "audit.view",
    title: "nav.audit",
    columns: {
      at: "folio.at",
      actor: "folio.operator",
      action: "exports.column.action",
      entity: "exports.column.entity",
      before: "audit.before",
      after: "audit.after",
      address: "exports.column.address",
      seq: "exports.column.seq",
    },
  },
  breakfast: {
    capability: "breakfast.manage",
    title: "nav.breakfast",
    columns: {
      room: "board.room",
      guest: "stay.guest",
      date: "exports.column.date",
      eaten: "exports.column.eaten",
      operator: "folio.operator",
    },
  },
} as const satisfies Record<string, { capability: Capability; title: string; columns: Record<string, string> }>;

export type ExportListName = keyof typeof EXPORT_LISTS;
export type ExportColumnName<List extends ExportListName> = keyof (typeof EXPORT_LISTS)[List]["columns"] & string;

export const EXPORT_LIST_NAMES = Object.keys(EXPORT_LISTS) as [ExportListName, ...ExportListName[]];
export const EXPORT_FORMATS = ["csv", "xlsx"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
export const EXPORT_STATES = ["queued", "running", "done", "failed", "cancelled"] as const;

/** Exports of up to this many rows are returned directly; larger ones are written in the background. */
export const ROWS_AT_ONCE = 5000;
/** Limit of unfinished export files per operator. */
export const MAX_UNFINISHED = 3;
export const EXPORT_RETENTION_HOURS = 24;

const UNWRITABLE = /[\p{Cc}\p{Cf}\p{Cs}\\/:*?"<>|]+/gu;
/** Device names that Windows reserves, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const MAX_NAME = 100;

/**
 * Returns a file name that is valid on every file system, with the format's extension; `fallback` if no character is
 * left.
 */
export function exportFileName(name: string, format: ExportFormat, fallback: string): string {
  const plain = (text: string): string => {
    const clean = text
      .replace(/\.(csv|xlsx)$/i, "")
      .replace(UNWRITABLE, " ")
      .replace(/\s+/g, " ");
    const cut = [...clean.trim()].slice(0, MAX_NAME).join("");
    return cut.replace(/^[.\s]+|[.\s]+$/g, "");
  };
  const chosen = plain(name) || plain(fallback) || "export";
  return `${RESERVED.test(chosen) ? "_" : ""}${chosen}.${format}`;
}
