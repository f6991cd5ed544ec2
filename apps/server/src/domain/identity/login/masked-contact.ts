import { maskedAccount } from "./masked-account.ts";

/** Shorter numbers would be told by their last digits. */
const MIN_SHOWN = 7;

/** A phone number or mail address as the journal may keep it for good: "***67", "a***@example.com"; nothing of nothing. */
export function maskedContact(contact: string): string {
  if (contact === "") return "";
  if (contact.includes("@")) return maskedAccount(contact);
  return contact.length < MIN_SHOWN ? "***" : `***${contact.slice(-2)}`;
}
