import assert from "node:assert/strict";

/** The owner of the load hotel, whose account the benchmarks use. */
export const OWNER = { mobile: "13800000009", password: "for measuring only" };

/** Account of the demo hotel's owner, with the password of the setting `DEMO_PASSWORD` */
export const DEMO_OWNER = "13800000001";

/** Logs in as a browser does; returns the cookie header. */
export async function logIn(url: string, account = OWNER.mobile): Promise<string> {
  const response = await fetch(`${url}/api/trpc/auth.login`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-innkey": "1" },
    body: JSON.stringify({ account, password: OWNER.password }),
  });
  const [cookie] = response.headers.getSetCookie();
  assert.ok(response.ok && cookie, `login answered ${response.status}: ${await response.text()}`);
  return cookie.split(";", 1)[0] ?? "";
}
