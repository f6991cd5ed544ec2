import type { GuestPage } from "@innkey/shared/schemas/overview/guest-page";
import type { GuestCheckInOutcome, GuestProofOutcome } from "@innkey/shared/schemas/stays/guest-links";

/** Why a call failed: the link opens nothing (404), too many calls (429), another refusal, or no connection (0). */
export class CallError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

/** Secret of the link. It stands in the fragment, which browsers don't send, and goes only into the body of calls. */
export const token = (): string => location.hash.slice(1);

async function call<Answer>(path: string, body: Record<string, string | null> = {}): Promise<Answer> {
  const response = await fetch(`/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-innkey": "1" },
    body: JSON.stringify({ token: token(), ...body }),
  }).catch(() => {
    throw new CallError(0, "network");
  });
  const answer = await response.json().catch(() => ({ code: "internal" }));
  if (!response.ok) throw new CallError(response.status, answer.code);
  return answer;
}

export const readPage = (): Promise<GuestPage> => call("page");

export const prove = async (answer: string): Promise<GuestProofOutcome> =>
  (await call<{ outcome: GuestProofOutcome }>("proof", { answer })).outcome;

/** Makes this browser unknown, so that it shows no guest's page without asking who they are. */
export const forgetBrowser = (): Promise<unknown> => call("forget");

interface Opening {
  commandId: string;
  state: string;
}
export const openDoor = (): Promise<Opening> => call("open");
export const readOpening = (commandId: string): Promise<Opening> => call("opening", { commandId });

export const askLate = (time: string): Promise<unknown> => call("late", { time });
export const sendPreCheckIn = (values: Record<string, string | null>): Promise<unknown> => call("pre-check-in", values);
export const checkIn = async (): Promise<GuestCheckInOutcome> =>
  (await call<{ outcome: GuestCheckInOutcome }>("check-in")).outcome;
export const checkOut = (): Promise<unknown> => call("check-out");
