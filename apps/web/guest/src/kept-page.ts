import type { GuestPage } from "@innkey/shared/schemas/overview/guest-page";

/** Where the last page is kept, so that the door's code can be read without a connection. */
const KEY = "page";
/** When guests were last removed from this browser, in milliseconds. Its other windows learn of it by the change. */
export const FORGOTTEN_KEY = "forgottenAt";
const DAY_MS = 86_400_000;

interface KeptPage {
  token: string;
  /** when the server sent it, in milliseconds */
  at: number;
  page: GuestPage;
}

/**
 * Keeps a page of a guest who has shown who they are; any other page removes what was kept of the same link. A page that
 * was asked for (`askedAt`, in milliseconds) before guests were removed from this browser isn't kept.
 */
export function keepPage(token: string, page: GuestPage | null, askedAt = Date.now()): void {
  if (page && askedAt <= Number(localStorage.getItem(FORGOTTEN_KEY))) return;
  const lastPage: KeptPage | null = page?.inside ? { token, at: Date.now(), page } : null;
  if (lastPage) localStorage.setItem(KEY, JSON.stringify(lastPage));
  else if (readLastPage()?.token === token) localStorage.removeItem(KEY);
}

/** Removes what is kept, of whichever link. */
export function removeKeptPage(): void {
  localStorage.removeItem(KEY);
}

/** Removes what is kept, and lets the other windows know that this browser knows no guest any more. */
export function forgetKeptPages(): void {
  removeKeptPage();
  localStorage.setItem(FORGOTTEN_KEY, String(Date.now()));
}

/** Returns the kept page of this link with the time at which it was sent. */
export function readKeptPage(token: string): { page: GuestPage; at: Date } | null {
  const lastPage = readLastPage();
  return lastPage?.token === token ? { page: lastPage.page, at: new Date(lastPage.at) } : null;
}

/** Returns what is kept, of whichever link; removes it once the stay is over for a day. */
function readLastPage(): KeptPage | null {
  try {
    const lastPage = JSON.parse(localStorage.getItem(KEY) ?? "null") as KeptPage | null;
    if (!lastPage || Date.parse(lastPage.page.stay.endsAt) + DAY_MS >= Date.now()) return lastPage;
    localStorage.removeItem(KEY);
    return null;
  } catch {
    return null;
  }
}
