import type { Capability } from "@innkey/shared/capabilities";
import {
  BedDouble,
  Building2,
  ClipboardList,
  IdCard,
  Layers,
  type LucideIcon,
  MailOpen,
  Nfc,
  ReceiptText,
  ScrollText,
  UserRound,
  Users,
} from "lucide-react";
import type { TextKey } from "@/lib/i18n.ts";

export type NavEntry = {
  path: string;
  labelKey: TextKey;
  icon: LucideIcon;
  /** Needed to see the entry. */
  capability?: Capability;
};

export type NavGroup = { labelKey: TextKey; entries: readonly NavEntry[] };

/** The menu. Sidebar and palette read it; an entry is hidden from operators without its capability. */
export const NAV: readonly NavGroup[] = [
  {
    labelKey: "nav.desk",
    entries: [
      { path: "/room", labelKey: "nav.rooms", icon: BedDouble, capability: "rooms.view" },
      { path: "/guests", labelKey: "nav.guests", icon: Users, capability: "stays.view" },
      { path: "/customer/customer", labelKey: "nav.customers", icon: IdCard, capability: "customers.view" },
      { path: "/orders", labelKey: "nav.orders", icon: ReceiptText, capability: "orders.view" },
      { path: "/reader", labelKey: "reader.title", icon: Nfc },
    ],
  },
  {
    labelKey: "nav.house",
    entries: [
      { path: "/groups", labelKey: "nav.groups", icon: Layers, capability: "rooms.manage" },
      { path: "/hotel", labelKey: "nav.hotel", icon: Building2, capability: "hotel.view" },
      { path: "/staff", labelKey: "nav.staff", icon: ClipboardList, capability: "staff.view" },
      { path: "/center/personalCenter", labelKey: "center.title", icon: UserRound },
    ],
  },
  {
    labelKey: "nav.records",
    entries: [
      { path: "/audit", labelKey: "nav.audit", icon: ScrollText, capability: "audit.view" },
      { path: "/outbox", labelKey: "nav.outbox", icon: MailOpen, capability: "outbox.view" },
    ],
  },
];
