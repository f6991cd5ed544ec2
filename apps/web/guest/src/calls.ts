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

interface Opening {
  commandId: string;
  state: string;
}

/** The calls of one link: they stay with its guest, even if the browser shows another link by the time they go out. */
export interface Calls {
  readPage(): Promise<GuestPage>;
  prove(answer: string): Promise<GuestProofOutcome>;
  /** Makes this browser unknown, so that it shows no guest's page without asking who they are. */
  forgetBrowser(): Promise<unknown>;
  openDoor(): Promise<Opening>;
  readOpening(commandId: string): Promise<Opening>;
  askLate(time: string): Promise<unknown>;
  sendPreCheckIn(values: Record<string, string | null>): Promise<unknown>;
  checkIn(): Promise<GuestCheckInOutcome>;
  checkOut(): Promise<unknown>;
}

/** Returns the calls of the link with this secret. @throws CallError each */
export function callsOf(link: string): Calls {
  async function call<Answer>(path: string, body: Record<string, string | null> = {}): Promise<Answer> {
    const response = await fetch(`/api/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-innkey": "1" },
      body: JSON.stringify({ token: link, ...body }),
    }).catch(() => {
      throw new CallError(0, "network");
    });
    const answer = await response.json().catch(() => ({ code: "internal" }));
    if (!response.ok) throw new CallError(response.status, answer.code);
    return answer;
  }
  return {
    readPage: () => call("page"),
    prove: async (answer) => (await call<{ outcome: GuestProofOutcome }>("proof", { answer })).outcome,
    forgetBrowser: () => call("forget"),
    openDoor: () => call("open"),
    readOpening: (commandId) => call("opening", { commandId }),
    askLate: (time) => call("late", { time }),
    sendPreCheckIn: (values) => call("pre-check-in", values),
    checkIn: async () => (await call<{ outcome: GuestCheckInOutcome }>("check-in")).outcome,
    checkOut: () => call("check-out"),
  };
}
