import type { GuestPage } from "@innkey/shared/schemas/overview/guest-page";

/** Where the last page is kept, so that the door's code can be read without a connection. */
const KEY = "page";
const DAY_MS = 86_400_000;

interface KeptPage {
  token: string;
  /** when the server sent it, in milliseconds */
  at: number;
  page: GuestPage;
}

/** Keeps a page of a guest who has shown who they are; any other page removes what was kept of the same link. */
export function keepPage(token: string, page: GuestPage | null): void {
  const lastPage: KeptPage | null = page?.inside ? { token, at: Date.now(), page } : null;
  if (lastPage) localStorage.setItem(KEY, JSON.stringify(lastPage));
  else if (readLastPage()?.token === token) localStorage.removeItem(KEY);
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
