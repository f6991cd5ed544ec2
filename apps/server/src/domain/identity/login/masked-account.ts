/** Masks an account for the audit: "138****0001", "a***@example.com". */
export function maskedAccount(account: string): string {
  const at = account.indexOf("@");
  if (at >= 0) return `${account.slice(0, 1)}***${account.slice(at)}`;
  return `${account.slice(0, 3)}****${account.slice(-4)}`;
}
