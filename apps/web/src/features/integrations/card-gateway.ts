import { failureText } from "@/lib/api-error.ts";
import { t } from "@/lib/i18n.ts";
import { RestError, send } from "@/lib/rest.ts";

/** Name under which other programs store the token that the gateway issues at login. */
const STORAGE_KEY = "card_token";

/** Error with the gateway's reason for a refusal, in the user's language. */
export class GatewayRefusal extends Error {}

/**
 * Calls the gateway as a program that has only a key would.
 * @throws GatewayRefusal
 */
async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const response = await send(path, init);
  const answer: unknown = await response.json().catch(() => null);
  // An answer in another format doesn't come from the gateway.
  if (typeof answer !== "object" || answer === null || !("msg" in answer)) throw new GatewayRefusal(t("third.tryOff"));
  const { code, msg, data } = answer as { code: number; msg: string; data: T };
  if (code !== 200) throw new GatewayRefusal(msg);
  return data;
}

/**
 * Logs in at the gateway with a key, as another program would. Returns the number of rooms that the key can see.
 * @throws GatewayRefusal
 */
export async function tryAtGateway(keyToken: string, hotelId: number, signal: AbortSignal): Promise<number> {
  const [, key, secret] = /^(ik_[0-9a-f]+)_(.+)$/.exec(keyToken) ?? [];
  const { token } = await ask<{ token: string }>("/auth/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key, secret }),
    signal,
  });
  signal.throwIfAborted();
  sessionStorage.setItem(STORAGE_KEY, token);
  const rooms = await ask<unknown[]>(`/linQuan/getRoomListByHotelId?hotelId=${hotelId}`, {
    headers: { authorization: `Bearer ${sessionStorage.getItem(STORAGE_KEY)}` },
    signal,
  });
  return rooms.length;
}

export const forgetCardToken = (): void => sessionStorage.removeItem(STORAGE_KEY);

export function refusalText(error: unknown): string {
  if (error instanceof GatewayRefusal) return error.message;
  return failureText(error instanceof RestError ? error.failure : { code: "internal" });
}
