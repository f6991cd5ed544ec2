import { uidOf } from "@/readers/protocol/hex.ts";
import type { BlockAddress, CardInField, CardReader, ReaderDevice, ReadResult, WriteResult } from "./card-reader.ts";
import type { Command, ReaderLine } from "./lines/reader-line.ts";
import { type CardKind, DELIVERED_ACCESS, hasBlock, isWritable, kindOf, trailerOf } from "./protocol/mifare.ts";
import { breaksLine, ReaderError, type Step } from "./reader-error.ts";

/** Runs tasks one after the other, in order. */
function oneAtATime(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Time limits of a call in milliseconds (source: specification, section 9). */
export const READER_LIMITS = { call: 2000, write: 5000 };

export interface ServiceReaderOptions {
  limits?: typeof READER_LIMITS;
  /** Time limit of the very first call, which may wait for the browser's permission prompt, milliseconds. */
  firstLimit?: () => Promise<number>;
}

const CASCADE_TAG = "88";
const never = new AbortController().signal;

type Ask = (command: Command) => Promise<string>;

/**
 * A reader behind a service on this computer. `line` implements the service's protocol, this function the operations.
 */
export function serviceReader(line: ReaderLine, options: ServiceReaderOptions = {}): CardReader & ReaderDevice {
  const { limits = READER_LIMITS, firstLimit = async () => limits.call } = options;
  const runInOrder = oneAtATime();
  let hasAnswered = false;
  let isOpen = false;

  async function limitOf(step: Step): Promise<number> {
    const usual = step === "write" ? limits.write : limits.call;
    return hasAnswered ? usual : Math.max(usual, await firstLimit());
  }

  async function ask(command: Command, signal: AbortSignal): Promise<string> {
    if (signal.aborted) throw new ReaderError("cancelled", command.step);
    if (!line.supports(command.step)) throw new ReaderError("unsupported", command.step);
    try {
      const answer = await line.exchange(command, { signal, limit: await limitOf(command.step) });
      hasAnswered = true;
      return answer;
    } catch (error) {
      if (error instanceof ReaderError && breaksLine(error)) {
        isOpen = false;
        line.drop();
      }
      throw error;
    }
  }

  async function openLine(ask: Ask): Promise<void> {
    if (isOpen) return;
    await ask({ step: "open" });
    isOpen = true;
  }

  /**
   * Opens the reader and turns its antenna on. A reader that was unplugged, or a restarted service, is opened again.
   */
  async function prepareReader(ask: Ask): Promise<void> {
    const wasOpen = isOpen;
    const prepare = async (): Promise<void> => {
      await openLine(ask);
      await ask({ step: "radio" });
      await ask({ step: "antenna", on: true });
    };
    await prepare().catch((error) => {
      if (!wasOpen || !(error instanceof ReaderError) || !["notConnected", "noService"].includes(error.kind))
        throw error;
      return prepare();
    });
  }

  function run<Result>(signal: AbortSignal | undefined, work: (ask: Ask) => Promise<Result>): Promise<Result> {
    const own = signal ?? never;
    return runInOrder(() => work((command) => ask(command, own)));
  }

  async function readBlock(where: BlockAddress, ask: Ask): Promise<ReadResult> {
    const card = await enter(where, ask);
    const data = await orCardRemoved(card, ask, () => ask({ step: "read", block: where.block }));
    if (!/^[0-9A-F]{32}$/.test(data)) throw new ReaderError("badAnswer", "read");
    return { ...card, data };
  }

  async function writeBlock(where: BlockAddress, data: string, ask: Ask): Promise<WriteResult> {
    if (!isWritable(where.block)) throw new ReaderError("blockForbidden", "write");
    const card = await enter(where, ask);
    await orCardRemoved(card, ask, () => ask({ step: "write", block: where.block, data }));
    const readBack = await ask({ step: "read", block: where.block }).catch((error) => {
      if (error instanceof ReaderError && error.kind === "readFailed") return undefined;
      throw error;
    });
    if (readBack !== undefined && readBack !== data) throw new ReaderError("writeFailed", "write");
    return { ...card, checked: readBack !== undefined };
  }

  async function rekey(
    sector: number,
    from: Omit<BlockAddress, "block">,
    newKey: string,
    ask: Ask,
  ): Promise<CardInField> {
    const block = trailerOf(sector);
    const card = await enter({ ...from, block }, ask);
    await orCardRemoved(card, ask, () => ask({ step: "write", block, data: `${newKey}${DELIVERED_ACCESS}${newKey}` }));
    await wake(ask);
    // Keys can't be read back, so we prove the new one by opening the sector with it.
    await orCardRemoved(card, ask, () => ask({ step: "authenticate", keyType: from.keyType, block, key: newKey }));
    return card;
  }

  /** Selects the card and opens the block's sector with its key. */
  async function enter({ block, keyType, key }: BlockAddress, ask: Ask): Promise<CardInField> {
    await prepareReader(ask);
    const card = await activate(ask);
    if (!hasBlock(card.kind, block)) throw new ReaderError("blockMissing", "authenticate");
    await orCardRemoved(card, ask, () => ask({ step: "authenticate", keyType, block, key }));
    return card;
  }

  /**
   * After a refusal, a card must be woken before it responds again. If it doesn't wake, it was removed, and the error is
   * `cardGone`.
   */
  async function orCardRemoved<Result>(card: CardInField, ask: Ask, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ReaderError) || breaksLine(error)) throw error;
      const present = await wake(ask).catch(() => undefined);
      if (present?.uid === card.uid) throw error;
      throw new ReaderError("cardGone", error.step, error.detail);
    }
  }

  async function wake(ask: Ask): Promise<CardInField> {
    if (line.supports("halt")) await ask({ step: "halt" }).catch(() => undefined);
    return activate(ask);
  }

  async function activate(ask: Ask): Promise<CardInField> {
    const card = await identify(ask);
    await ask({ step: "select", uid: card.uid });
    return card;
  }

  async function identify(ask: Ask): Promise<CardInField> {
    const kind = kindOf(Number.parseInt(await ask({ step: "request" }), 16));
    const uid = uidOf(await numberOf(kind, ask));
    if (uid === undefined) throw new ReaderError("badAnswer", "anticollision");
    return { uid, kind };
  }

  /** Seven-byte numbers need a second round, which only some services offer. */
  async function numberOf(kind: CardKind, ask: Ask): Promise<string> {
    if (kind === "ultralight" && line.supports("longUid")) return ask({ step: "longUid" });
    const answer = await ask({ step: "anticollision" });
    if (kind === "ultralight" && answer.startsWith(CASCADE_TAG)) throw new ReaderError("uidFailed", "anticollision");
    return answer;
  }

  return {
    open: (signal) => run(signal, openLine),
    readUid: (signal) =>
      run(signal, async (ask) => {
        await prepareReader(ask);
        return identify(ask);
      }),
    readBlock: (where, signal) => run(signal, (ask) => readBlock(where, ask)),
    writeBlock: (where, data, signal) => run(signal, (ask) => writeBlock(where, data, ask)),
    rekey: (sector, from, newKey, signal) => run(signal, (ask) => rekey(sector, from, newKey, ask)),
    beep: (signal) =>
      run(signal, async (ask) => {
        await openLine(ask);
        await ask({ step: "buzzer" });
      }),
    close: (signal) =>
      run(signal, async (ask) => {
        if (!isOpen) return;
        isOpen = false;
        await ask({ step: "close" });
        line.drop();
      }),
    serial: (signal) =>
      run(signal, async (ask) => {
        await openLine(ask);
        return ask({ step: "serial" });
      }),
    model: (signal) =>
      run(signal, async (ask) => {
        await openLine(ask);
        return ask({ step: "model" });
      }),
    testLight: (signal) =>
      run(signal, async (ask) => {
        await openLine(ask);
        for (const color of [1, 2, 0] as const) await ask({ step: "light", color });
      }),
    resetAntenna: (signal) =>
      run(signal, async (ask) => {
        await openLine(ask);
        for (const on of [false, true]) await ask({ step: "antenna", on });
      }),
  };
}
