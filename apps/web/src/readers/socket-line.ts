import { encoded, hasCode } from "./command-codes.ts";
import { refused } from "./reader-error.ts";
import type { Call, Command, ReaderLine } from "./reader-line.ts";
import { RETVAL } from "./retval.ts";
import { type SocketMaker, socketExchange } from "./socket-exchange.ts";

/** Type 3: the reader service that speaks text frames over a WebSocket on port 39002 (source: device notes, section A2). */
export const SOCKET_READER_URL = "ws://localhost:39002/RFID Reader Service";
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
