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

interface PendingRequest {
  message: (text: unknown) => void;
  closed: () => void;
}

/**
 * Requests and answers over a WebSocket whose messages have no ids. It is opened by the first request, and again after
 * `drop`.
 */
export function socketExchange(url: string, make: SocketMaker): SocketExchange {
  let socket: WebSocket | undefined;
  let pending: PendingRequest | undefined;

  function drop(): void {
    socket?.close();
    socket = undefined;
    pending = undefined;
  }

  async function connect(step: Step, end: AbortSignal): Promise<WebSocket> {
    if (socket?.readyState === 1) return socket;
    drop();
    const fresh = make(url);
    fresh.binaryType = "arraybuffer";
    socket = fresh;
    fresh.addEventListener("message", ({ data }) => socket === fresh && pending?.message(data));
    await new Promise<void>((resolve, reject) => {
      fresh.addEventListener("open", () => resolve(), { once: true });
      // Browsers don't report the cause: not running, not allowed, or not a WebSocket.
      fresh.addEventListener("error", () => reject(new ReaderError("noService", step)));
      fresh.addEventListener("close", () => {
        reject(new ReaderError("noService", step));
        if (socket === fresh) pending?.closed();
      });
      end.addEventListener("abort", () => reject(end.reason), { once: true });
    });
    return fresh;
  }

  return {
    async ask(text, take, step, call) {
      const end = withLimit(call);
      let hasOtherAnswers = false;
      try {
        end.throwIfAborted();
        const line = await connect(step, end);
        return await new Promise((resolve, reject) => {
          pending = {
            message(data) {
              const answer = typeof data === "string" ? take(data) : undefined;
              if (answer === undefined) hasOtherAnswers = true;
              else resolve(answer);
            },
            closed: () => reject(new ReaderError("noService", step)),
          };
          end.addEventListener("abort", () => reject(end.reason), { once: true });
          line.send(text);
        });
      } catch (error) {
        // A late answer must not count as the answer to the next request.
        drop();
        const failure = failureOfWait(error, step, call);
        throw failure.kind === "timedOut" && hasOtherAnswers ? new ReaderError("badAnswer", step) : failure;
      } finally {
        pending = undefined;
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
