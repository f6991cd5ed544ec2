import { ReaderError, type Step } from "./reader-error.ts";
import type { Call } from "./reader-line.ts";
import { failureOfWait, withLimit } from "./time-limit.ts";

export type SocketMaker = (url: string) => WebSocket;

export interface SocketExchange {
  /**
   * Sends one text and resolves with what `take` makes of the first answer that is for it; answers it makes nothing of are
   * another's or noise, and are waited past. One exchange at a time.
   */
  ask<Answer>(text: string, take: (answer: string) => Answer | undefined, step: Step, call: Call): Promise<Answer>;
  drop(): void;
}

interface Waiting {
  message: (text: unknown) => void;
  closed: () => void;
}

/** Questions and answers over a WebSocket that has no numbers for them. Opened when first asked, and again after `drop`. */
export function socketExchange(url: string, make: SocketMaker): SocketExchange {
  let socket: WebSocket | undefined;
  let waiting: Waiting | undefined;

  function drop(): void {
    socket?.close();
    socket = undefined;
    waiting = undefined;
  }

  async function connected(step: Step, ended: AbortSignal): Promise<WebSocket> {
    if (socket?.readyState === 1) return socket;
    drop();
    const fresh = make(url);
    fresh.binaryType = "arraybuffer";
    socket = fresh;
    fresh.addEventListener("message", ({ data }) => socket === fresh && waiting?.message(data));
    await new Promise<void>((resolve, reject) => {
      fresh.addEventListener("open", () => resolve(), { once: true });
      // Browsers say nothing about why: not running, not allowed, not a WebSocket.
      fresh.addEventListener("error", () => reject(new ReaderError("noService", step)));
      fresh.addEventListener("close", () => {
        reject(new ReaderError("noService", step));
        if (socket === fresh) waiting?.closed();
      });
      ended.addEventListener("abort", () => reject(ended.reason), { once: true });
    });
    return fresh;
  }

  return {
    async ask(text, take, step, call) {
      const ended = withLimit(call);
      let noise = false;
      try {
        ended.throwIfAborted();
        const line = await connected(step, ended);
        return await new Promise((resolve, reject) => {
          waiting = {
            message(data) {
              const answer = typeof data === "string" ? take(data) : undefined;
              if (answer === undefined) noise = true;
              else resolve(answer);
            },
            closed: () => reject(new ReaderError("noService", step)),
          };
          ended.addEventListener("abort", () => reject(ended.reason), { once: true });
          line.send(text);
        });
      } catch (error) {
        // A late answer must not be taken for that of the next question.
        drop();
        const failure = failureOfWait(error, step, call);
        throw failure.kind === "timedOut" && noise ? new ReaderError("badAnswer", step) : failure;
      } finally {
        waiting = undefined;
      }
    },
    drop,
  };
}
