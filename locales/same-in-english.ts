import type { LanguageCode } from "../packages/shared/src/languages.ts";

/** Names and signs: the same in every language. */
const NAMES = ["Innkey", "Wi-Fi", "MAC", "Bluetooth", "PIN", "ID", "QR", "SMS", "API", "UID", "RFID", "Ctrl K", "⌘K"];

/** Words that a language really shares with English, spelled alike. A word is added here by someone who speaks the language. */
const COGNATES: Partial<Record<LanguageCode, readonly string[]>> = {
  German: [
    "Hotel",
    "Name",
    "Status",
    "Administrator",
    "Details",
    "Filter",
    "Text",
    "Person",
    "Start",
    "Information",
    "Zone",
    "optional",
    "Live",
    "Check-in",
    "Check-out",
    "Firmware",
    "Gateway",
    "System",
  ],
  French: [
    "Hotel",
    "Type",
    "Date",
    "Note",
    "Notes",
    "Page",
    "Description",
    "Actions",
    "Action",
    "Client",
    "Code",
    "Message",
    "Pages",
    "Options",
    "Active",
    "Notifications",
    "Latitude",
    "Longitude",
    "Total",
  ],
  Spanish: ["Hotel", "Error", "No", "Control", "Color", "Total", "General", "Normal", "Personal", "Manual"],
  Portuguese: [
    "Hotel",
    "Latitude",
    "Longitude",
    "Status",
    "Total",
    "Normal",
    "Personal",
    "Manual",
    "Check-in",
    "Check-out",
    "E-mail",
  ],
  Italian: ["Hotel", "Password", "No", "Check-in", "Check-out", "Computer", "Account", "Email", "Staff", "File"],
};

/** Whether a text may read exactly as in English: only a name, a sign, or a shared word. */
export function isRightlyEnglish(text: string, code: LanguageCode): boolean {
  const words = text.replace(/\{\{[^}]*\}\}|<[^>]*>|[\d\s.,:;·•–—/()×%+-]+/g, " ").trim();
  return [...NAMES, ...(COGNATES[code] ?? [])].some((shared) => shared === text || shared === words) || words === "";
}
