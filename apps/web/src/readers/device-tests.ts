import { type SocketMaker, socketExchange } from "@/readers/lines/socket-line.ts";
import type { CardReader, ReaderDevice } from "./card-reader.ts";
import { ReaderError, type ReaderErrorKind } from "./reader-error.ts";

type StepResult = "done" | "failed" | "skipped";

export interface TimedStep<Name extends string> {
  name: Name;
  result: StepResult;
  /** Round-trip time in milliseconds; missing if the step was not tried. */
  milliseconds?: number;
  /** A version, a serial number or a card's number. */
  value?: string;
  failure?: ReaderError;
}

export interface Trial<Name extends string> {
  name: Name;
  run: (signal: AbortSignal) => Promise<string | undefined>;
  /** Whether the steps after it make no sense if it fails. */
  essential?: boolean;
}

interface TrialOptions<Name extends string> {
  signal: AbortSignal;
  onStep: (step: TimedStep<Name>) => void;
  clock?: () => number;
}

/** Runs steps in order and measures each. A step that the device doesn't support is skipped. */
export async function runTrials<Name extends string>(
  trials: readonly Trial<Name>[],
  { signal, onStep, clock = () => performance.now() }: TrialOptions<Name>,
): Promise<TimedStep<Name>[]> {
  const steps: TimedStep<Name>[] = [];
  let isStopped = false;
  for (const { name, run, essential } of trials) {
    const step: TimedStep<Name> = isStopped
      ? { name, result: "skipped" }
      : await measure(name, () => run(signal), clock);
    if (step.result === "failed" && (essential || signal.aborted)) isStopped = true;
    steps.push(step);
    onStep(step);
  }
  return steps;
}

async function measure<Name extends string>(
  name: Name,
  run: () => Promise<string | undefined>,
  clock: () => number,
): Promise<TimedStep<Name>> {
  const since = clock();
  try {
    const value = await run();
    return { name, result: "done", milliseconds: clock() - since, ...(value && { value }) };
  } catch (failure) {
    if (!(failure instanceof ReaderError)) throw failure;
    if (failure.kind === "unsupported") return { name, result: "skipped", failure };
    return { name, result: "failed", milliseconds: clock() - since, failure };
  }
}

export const SELF_TEST_STEPS = ["open", "serial", "model", "light", "buzzer", "antenna", "cardInField"] as const;
type SelfTestStep = (typeof SELF_TEST_STEPS)[number];

/** Tests a reader step by step; a card must lie on it at the end. */
export function selfTest(reader: CardReader & ReaderDevice): Trial<SelfTestStep>[] {
  const withoutValue = async (work: Promise<void>): Promise<undefined> => {
    await work;
    return undefined;
  };
  return [
    { name: "open", essential: true, run: (signal) => withoutValue(reader.open(signal)) },
    { name: "serial", run: (signal) => reader.serial(signal) },
    { name: "model", run: (signal) => reader.model(signal) },
    { name: "light", run: (signal) => withoutValue(reader.testLight(signal)) },
    { name: "buzzer", run: (signal) => withoutValue(reader.beep(signal)) },
    { name: "antenna", run: (signal) => withoutValue(reader.resetAntenna(signal)) },
    { name: "cardInField", run: async (signal) => (await reader.readUid(signal)).uid },
  ];
}

/** Driver for the fingerprint sensor's service on port 9618 (source: device notes, section A4). */
const FINGERPRINT_URL = "ws://localhost:9618";

export const FINGERPRINT_STEPS = [
  "start",
  "pluginVersion",
  "deviceVersion",
  "detect",
  "extract1",
  "extract2",
  "extract3",
  "template",
  "match",
] as const;
export type FingerprintStep = (typeof FINGERPRINT_STEPS)[number];

/** Time for somebody to present a finger, milliseconds. */
const FINGERPRINT_LIMITS = { call: 2000, finger: 15_000, pause: 250 };

/** Meaning of the service's results. */
const RESULTS: Readonly<Record<string, ReaderErrorKind>> = {
  "-3": "unsupported",
  "-4": "noDevice",
  "-5": "notConnected",
  "-7": "readFailed",
};

interface Reply {
  result: string;
  version?: string;
  feature?: string;
  template?: string;
}

interface FingerprintOptions {
  url?: string;
  makeSocket?: SocketMaker;
  limits?: typeof FINGERPRINT_LIMITS;
}

interface FingerprintTest {
  trials: Trial<FingerprintStep>[];
  /** Closes the sensor and discards everything it reported. */
  end(): Promise<void>;
}

/** Tests a sensor step by step. Features and template never leave this function and are discarded at the end. */
export function fingerprintTest(options: FingerprintOptions = {}): FingerprintTest {
  const { url = FINGERPRINT_URL, makeSocket = (to) => new WebSocket(to), limits = FINGERPRINT_LIMITS } = options;
  const socket = socketExchange(url, makeSocket);
  let features: string[] = [];
  let template = "";

  function ask(reqcode: string, signal: AbortSignal, fields: object = {}, limit = limits.call): Promise<Reply> {
    const answers = reqcode === "FM_Match" ? ["FM_Match", "FM_Extract", "FPM_FeatureMatch"] : [reqcode];
    const call = { signal, limit };
    return socket.ask(JSON.stringify({ reqcode, ...fields }), (text) => replyTo(answers, text), "read", call);
  }

  async function requestReply(reqcode: string, signal: AbortSignal, fields?: object, limit?: number): Promise<Reply> {
    const reply = await ask(reqcode, signal, fields, limit);
    if (reply.result !== "0") throw sensorError(reply.result);
    return reply;
  }

  async function detect(signal: AbortSignal): Promise<undefined> {
    const until = performance.now() + limits.finger;
    for (;;) {
      const { result } = await ask("FM_DetectFinger", signal);
      if (result === "0") return undefined;
      if (result in RESULTS && result !== "-7") throw sensorError(result);
      if (performance.now() > until) throw new ReaderError("timedOut", "read", { message: result });
      await new Promise((resolve) => setTimeout(resolve, limits.pause));
    }
  }

  const extract = (index: number) => async (signal: AbortSignal) => {
    const { feature } = await requestReply("FM_Extract", signal, { index: String(index) }, limits.finger);
    if (!feature) throw new ReaderError("badAnswer", "read");
    features.push(feature);
    return undefined;
  };

  const trials: Trial<FingerprintStep>[] = [
    {
      name: "start",
      essential: true,
      run: async (signal) => {
        await requestReply("FM_Init", signal);
        return undefined;
      },
    },
    { name: "pluginVersion", run: async (signal) => (await requestReply("FM_GetSdkVerison", signal)).version },
    { name: "deviceVersion", run: async (signal) => (await requestReply("FM_GetDevVerison", signal)).version },
    { name: "detect", essential: true, run: detect },
    { name: "extract1", essential: true, run: extract(1) },
    { name: "extract2", essential: true, run: extract(2) },
    { name: "extract3", essential: true, run: extract(3) },
    {
      name: "template",
      essential: true,
      run: async (signal) => {
        template = (await requestReply("FM_Enroll", signal)).template ?? "";
        if (!template) throw new ReaderError("badAnswer", "read");
        return undefined;
      },
    },
    {
      name: "match",
      run: async (signal) => {
        await requestReply("FM_Match", signal, { template, feature: features[0] });
        return undefined;
      },
    },
  ];

  return {
    trials,
    async end() {
      features = [];
      template = "";
      await ask("FM_Deinit", new AbortController().signal).catch(() => undefined);
      socket.drop();
    },
  };
}

function sensorError(result: string): ReaderError {
  return new ReaderError(RESULTS[result] ?? "operationFailed", "read", { message: result });
}

function replyTo(codes: readonly string[], text: string): Reply | undefined {
  try {
    const { repcode, result, ...rest } = Object(JSON.parse(text)) as Record<string, unknown>;
    if (typeof repcode !== "string" || !codes.includes(repcode)) return undefined;
    const textOf = (name: string): string | undefined => (typeof rest[name] === "string" ? rest[name] : undefined);
    return {
      result: String(result),
      version: textOf("version"),
      feature: textOf("feature"),
      template: textOf("template"),
    };
  } catch {
    return undefined;
  }
}
