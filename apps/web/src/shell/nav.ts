import type { Capability } from "@innkey/shared/capabilities";
import {
  Activity,
  Archive,
  BedDouble,
  Bell,
  Building2,
  CalendarRange,
  ChartColumn,
  ClipboardList,
  Coffee,
  ConciergeBell,
  CreditCard,
  DoorClosed,
  DoorOpen,
  FileDown,
  FileUp,
  Hash,
  HatGlasses,
  History,
  IdCard,
  IdCardLanyard,
  KeySquare,
  Layers,
  LayoutDashboard,
  LifeBuoy,
  ListTodo,
  LockKeyhole,
  type LucideIcon,
  MailOpen,
  MoonStar,
  Nfc,
  ReceiptText,
  Scale,
  ScanFace,
  ScrollText,
  Settings2,
  ShieldAlert,
  Tags,
  Usb,
  UserRound,
  Users,
  Webhook,
} from "lucide-react";
import type { TextKey } from "@/lib/i18n.ts";

export type NavEntry = {
  path: string;
  labelKey: TextKey;
  icon: LucideIcon;
  /** Capabilities needed to see the entry; one of them is enough. */
  capability?: Capability | readonly Capability[];
  /** Whether the entry is only for operators who may manage third-party keys. */
  apiKeyAuth?: true;
  /** Whether the entry is only for a new hotel whose list of first steps is open. */
  gettingReady?: true;
};

/** Pages without a menu entry, and the entry that is marked instead. Pages below an entry's path need none. */
const PARENTS: Readonly<Record<string, string>> = {
  "/room/thetouristsDetails": "/guests",
  "/bindCardReaderToUser/bindCardReaderToUser": "/bindCardReaderToUser/cardReaderAndUserList",
  "/center/addCard": "/center/cardList",
  "/center/addUniversalCard": "/center/cardList",
  "/center/addSpecialCard": "/center/cardList",
  "/center/universalCardList": "/center/cardList",
  "/center/specialCardList": "/center/cardList",
  "/center/spareCardList": "/center/cardList",
  "/center/addSpareCards": "/center/cardList",
  "/center/selectRoomList": "/center/cardList",
  "/center/removalPlan": "/center/cardList",
  "/center/cardSenderFingerTest": "/reader",
  "/afterOutage": "/roster",
  "/user": "/center/personalCenter",
  "/user/changePsw": "/center/personalCenter",
};

/** Returns the menu entry of a page. */
export function entryOf(pathname: string): string | undefined {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, "") : pathname;
  const parent = PARENTS[path];
  if (parent) return parent;
  const paths = NAV.flatMap(({ entries }) => entries.map((entry) => entry.path));
  // "/customer/customer/7" and "/bindCardReaderToUser" both belong to an entry of that section.
  const section = `/${path.split("/")[1]}`;
  return (
    paths.find((entry) => path === entry || path.startsWith(`${entry}/`)) ??
    paths.find((entry) => entry.startsWith(`${section}/`))
  );
}

export type NavGroup = {
  labelKey: TextKey;
  icon: LucideIcon;
  /** Whether the group is behind a button until its pages are needed. */
  folds?: true;
  entries: readonly NavEntry[];
};

/** The menu, used by sidebar and palette. An entry is hidden from operators without its capability. */
export const NAV: readonly NavGroup[] = [
  {
    labelKey: "nav.desk",
    icon: ConciergeBell,
    entries: [
      { path: "/getReady", labelKey: "nav.getReady", icon: ListTodo, capability: "hotel.manage", gettingReady: true },
      { path: "/home", labelKey: "nav.home", icon: LayoutDashboard, capability: "rooms.view" },
      { path: "/room", labelKey: "nav.rooms", icon: BedDouble, capability: "rooms.view" },
      { path: "/timeline", labelKey: "nav.timeline", icon: CalendarRange, capability: "stays.view" },
      { path: "/guests", labelKey: "nav.guests", icon: Users, capability: "stays.view" },
      { path: "/customer/customer", labelKey: "nav.customers", icon: IdCard, capability: "customers.view" },
      { path: "/orders", labelKey: "nav.folio", icon: ReceiptText, capability: "folio.view" },
      {
        path: "/cardToEncryption/cardToEncryption",
        labelKey: "nav.roomCards",
        icon: CreditCard,
        capability: "cards.issue",
      },
      { path: "/passcodes", labelKey: "nav.passcodes", icon: Hash, capability: "passcodes.view" },
      { path: "/breakfast", labelKey: "nav.breakfast", icon: Coffee, capability: "breakfast.manage" },
      { path: "/doors", labelKey: "nav.doorRecords", icon: DoorOpen, capability: "unlocks.view" },
      { path: "/alerts", labelKey: "nav.alerts", icon: Bell, capability: "alerts.view" },
      { path: "/reader", labelKey: "nav.cardReader", icon: Nfc },
      { path: "/risk", labelKey: "nav.risk", icon: ShieldAlert, capability: "locks.view" },
    ],
  },
  {
    labelKey: "nav.house",
    icon: Settings2,
    folds: true,
    entries: [
      { path: "/locks", labelKey: "nav.locks", icon: LockKeyhole, capability: "locks.view" },
      { path: "/commonDoors", labelKey: "nav.commonDoors", icon: DoorClosed, capability: "locks.view" },
      {
        path: "/bindCardReaderToUser/cardReaderAndUserList",
        labelKey: "nav.cardReaders",
        icon: Usb,
        capability: "cardReaders.view",
      },
      { path: "/faces", labelKey: "nav.faces", icon: ScanFace, capability: "faces.view" },
      {
        path: "/center/cardList",
        labelKey: "nav.managementCards",
        icon: IdCardLanyard,
        capability: "cards.master",
      },
      {
        path: "/cardEncryption/cardEncryption",
        labelKey: "nav.encryption",
        icon: KeySquare,
        capability: "encryption.manage",
        apiKeyAuth: true,
      },
      {
        path: "/thirdPartyAuthorization/thirdPartyAuthorization",
        labelKey: "nav.thirdParty",
        icon: Webhook,
        capability: "integrations.manage",
        apiKeyAuth: true,
      },
      { path: "/priceTemplates", labelKey: "nav.priceTemplates", icon: Tags, capability: "prices.manage" },
      { path: "/groups", labelKey: "nav.groups", icon: Layers, capability: "rooms.manage" },
      { path: "/hotel", labelKey: "nav.hotel", icon: Building2, capability: "hotel.view" },
      {
        path: "/imports",
        labelKey: "nav.imports",
        icon: FileUp,
        capability: ["rooms.manage", "stays.manage", "customers.manage"],
      },
      { path: "/privacy", labelKey: "nav.privacy", icon: HatGlasses, capability: "privacy.manage" },
      { path: "/staff", labelKey: "nav.staff", icon: ClipboardList, capability: "staff.view" },
      { path: "/center/personalCenter", labelKey: "nav.personalCenter", icon: UserRound },
    ],
  },
  {
    labelKey: "nav.records",
    icon: Archive,
    folds: true,
    entries: [
      { path: "/balance", labelKey: "nav.balance", icon: Scale, capability: "balance.view" },
      { path: "/occupancy", labelKey: "nav.occupancy", icon: ChartColumn, capability: "reports.view" },
      { path: "/nightAudit", labelKey: "nav.nightAudit", icon: MoonStar, capability: "reports.view" },
      { path: "/history", labelKey: "nav.history", icon: History, capability: "stays.view" },
      { path: "/roster", labelKey: "nav.roster", icon: LifeBuoy, capability: "stays.view" },
      { path: "/exports", labelKey: "nav.exports", icon: FileDown, capability: "exports.make" },
      { path: "/audit", labelKey: "nav.audit", icon: ScrollText, capability: "audit.view" },
      { path: "/outbox", labelKey: "nav.outbox", icon: MailOpen, capability: "outbox.view" },
      { path: "/status", labelKey: "nav.status", icon: Activity, capability: "system.view" },
    ],
  },
];

/** Returns the titles of the pages that a capability opens. */
export function pagesOf(capability: Capability): TextKey[] {
  return NAV.flatMap(({ entries }) => entries)
    .filter((entry) => entry.capability !== undefined && [entry.capability].flat().includes(capability))
    .map(({ labelKey }) => labelKey);
}
