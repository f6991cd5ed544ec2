import { fork } from "node:child_process";
import { constants } from "node:os";

type Answer = { line: string } | { result: unknown } | { failure: string };

interface ChildOptions {
  /** what the process does, for the error when it ends early: "prepares the database" */
  purpose: string;
  /** receives the lines that the task says */
  say?: (line: string) => void;
  /** its environment; that of this process if it isn't given */
  env?: NodeJS.ProcessEnv;
  /** ends the process */
  signal?: AbortSignal;
}

/**
 * Runs a task in a process of its own, whose memory is free when it ends, and returns its result. `script` is a file
 * that calls `serveTask`.
 * @throws Error with the message of the task's error, or saying that its process ended
 */
export function runInChildProcess<Result>(
  script: URL,
  task: object,
  { purpose, say, env, signal }: ChildOptions,
): Promise<Result> {
  const child = fork(script, {
    serialization: "advanced",
    killSignal: "SIGKILL",
    ...(env && { env }),
    ...(signal && { signal }),
  });
  return new Promise((resolve, reject) => {
    child.on("message", (answer: Answer) => {
      if ("line" in answer) say?.(answer.line);
      else if ("failure" in answer) reject(new Error(answer.failure));
      else resolve(answer.result as Result);
    });
    child.once("error", reject);
    child.once("exit", (code, end) =>
      reject(new Error(`The process that ${purpose} ended with ${end ?? code}. Start again.`)),
    );
    child.send(task);
  });
}

/**
 * Does the task that `runInChildProcess` sends to this process, and ends it. A process without its parent ends as soon as it
 * waits for anything. Signals are left to the parent, because Ctrl-C reaches both, and it stops the database in order.
 */
export function serveTask<Task>(work: (task: Task, say: (line: string) => void) => Promise<unknown>): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
  process.once("disconnect", () => process.exit(128 + constants.signals.SIGTERM));
  const send = (answer: Answer, sent: () => void = () => undefined): void => void process.send?.(answer, sent);
  const end = (answer: Answer): void => send(answer, () => process.exit(0));
  process.once("message", (task: Task) => {
    work(task, (line) => send({ line })).then(
      (result) => end({ result }),
      (error: unknown) => end({ failure: error instanceof Error ? error.message : String(error) }),
    );
  });
}
