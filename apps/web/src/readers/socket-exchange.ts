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

/** Questions and answers over a WebSocket that has no numbers for them. Opened when first asked, and again after `drop`. */
export function socketExchange(url: string, make: SocketMaker): SocketExchange {
  let socket: WebSocket | undefined;

  function drop(): void {
    socket?.close();
    socket = undefined;
  }

  async function connected(step: Step, ended: AbortSignal): Promise<WebSocket> {
    if (socket?.readyState === 1) return socket;
    drop();
    const fresh = make(url);
    fresh.binaryType = "arraybuffer";
    socket = fresh;
    await new Promise<void>((resolve, reject) => {
      fresh.addEventListener("open", () => resolve(), { once: true });
      // Browsers say nothing about why: not running, not allowed, not a WebSocket.
      for (const name of ["error", "close"] as const)
        fresh.addEventListener(name, () => reject(new ReaderError("noService", step)), { once: true });
      ended.addEventListener("abort", () => reject(ended.reason), { once: true });
    });
    return fresh;
  }

  return {
    async ask(text, take, step, call) {
      const ended = withLimit(call);
      const done = new AbortController();
      let noise = false;
      try {
        ended.throwIfAborted();
        const line = await connected(step, ended);
        return await new Promise((resolve, reject) => {
          const { signal } = done;
          line.addEventListener(
            "message",
            ({ data }) => {
              const answer = typeof data === "string" ? take(data) : undefined;
              if (answer === undefined) noise = true;
              else resolve(answer);
            },
            { signal },
          );
          line.addEventListener("close", () => reject(new ReaderError("noService", step)), { signal });
          ended.addEventListener("abort", () => reject(ended.reason), { signal });
          line.send(text);
        });
      } catch (error) {
        // A late answer must not be taken for that of the next question.
        drop();
        const failure = failureOfWait(error, step, call);
        throw failure.kind === "timedOut" && noise ? new ReaderError("badAnswer", step) : failure;
      } finally {
        done.abort();
      }
    },
    drop,
  };
}
