/** Masks an account for the audit: "138****0001", "a***@example.com". */
export function maskedAccount(account: string): string {
  const at = account.indexOf("@");
  if (at >= 0) return `${account.slice(0, 1)}***${account.slice(at)}`;
  return `${account.slice(0, 3)}****${account.slice(-4)}`;
}

/** The last digits would reveal too much of a shorter number. */
const MIN_LENGTH = 7;

/**
 * Masks a phone number or mail address for the audit, which is kept for good: "***67", "a***@example.com". An empty
 * text stays empty.
 */
export function maskedContact(contact: string): string {
  if (contact === "") return "";
  if (contact.includes("@")) return maskedAccount(contact);
  return contact.length < MIN_LENGTH ? "***" : `***${contact.slice(-2)}`;
}
