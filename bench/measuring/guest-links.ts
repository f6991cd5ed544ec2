import assert from "node:assert/strict";

interface GuestRow {
  stayId: number;
  stayGuestId: number;
  mobile: string;
}

const HEADERS = { "content-type": "application/json", "x-innkey": "1" };

/** Returns guests of the hotel whose phone number is known, so that they can show who they are on their page. */
export async function listGuests(url: string, cookie: string, state: "in" | "reserved"): Promise<GuestRow[]> {
  const input = encodeURIComponent(JSON.stringify({ state }));
  const list = await fetch(`${url}/api/trpc/guests.list?input=${input}`, { headers: { ...HEADERS, cookie } });
  const { result } = (await list.json()) as { result: { data: { rows: GuestRow[] } } };
  return result.data.rows.filter(({ mobile }) => mobile !== "");
}

/** Calls a mutation of the console. */
export async function mutate<T>(url: string, cookie: string, name: string, input: object): Promise<T> {
  const body = JSON.stringify(input);
  const answer = await fetch(`${url}/api/trpc/${name}`, { method: "POST", headers: { ...HEADERS, cookie }, body });
  assert.ok(answer.ok, `${name} answered ${answer.status}`);
  return ((await answer.json()) as { result: { data: T } }).result.data;
}

/** Makes a guest's link and returns its address. */
export async function makeGuestLink(url: string, cookie: string, stayGuestId: number): Promise<string> {
  return (await mutate<{ url: string }>(url, cookie, "guestLinks.make", { stayGuestId })).url;
}
