import { RETVAL } from "@/readers/reader-error.ts";
import { encoded, hasCode } from "../protocol/command-codes.ts";
import { ReaderError, refused, type Step } from "../reader-error.ts";
import { type Call, type Command, failureOfWait, type ReaderLine, withLimit } from "./reader-line.ts";

export type SocketMaker = (url: string) => WebSocket;

interface SocketExchange {
  /**
   * Sends a text and resolves with what `take` returns for the first answer that belongs to it; other answers are
   * skipped. One exchange at a time.
   */
  ask<Answer>(text: string, take: (answer: string) => Answer | undefined, step: Step, call: Call): Promise<Answer>;
  drop(): void;
}

interface Waiting {
  message: (text: unknown) => void;
  closed: () => void;
}

/**
 * Requests and answers over a WebSocket whose messages have no ids. It is opened by the first request, and again after
 * `drop`.
 */
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
      // Browsers don't say why: not running, not allowed, or not a WebSocket.
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
        // A late answer must not count as the answer to the next request.
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

/**
 * Type 3: the reader service that speaks text frames over a WebSocket on port 39002 (source: device notes, section A2).
 */
const SOCKET_READER_URL = "ws://localhost:39002/RFID Reader Service";
const DEVICE = "00";
const ANSWER = /^([0-9A-F]{4})([0-9A-F]{2})((?:[0-9A-F]{2})*)$/;

interface SocketLineOptions {
  url?: string;
  device?: number;
  makeSocket?: SocketMaker;
}

export function socketLine(options: SocketLineOptions = {}): ReaderLine {
  const { url = SOCKET_READER_URL, device = 0, makeSocket = (to) => new WebSocket(to) } = options;
  const { ask, drop } = socketExchange(url, makeSocket);

  async function exchange(command: Command, call: Call): Promise<string> {
    const { code, argument } = encoded(command, device);
    const { status, data } = await ask(
      `${DEVICE}${code}${argument}`,
      (answer) => {
        const [, own, result = "", rest = ""] = ANSWER.exec(answer.trim().toUpperCase()) ?? [];
        return own === code ? { status: Number.parseInt(result, 16), data: rest } : undefined;
      },
      command.step,
      call,
    );
    const isOpen = command.step === "open" && status === RETVAL.alreadyOpen;
    if (status !== 0 && !isOpen) throw refused(command.step, status);
    return data;
  }

  return { exchange, supports: hasCode, drop };
}
