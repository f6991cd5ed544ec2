import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** The built server as a separate process. */
export class ServerProcess {
  readonly url: string;
  readonly #process: ChildProcess;

  /** Starts the server and resolves when it is ready. @throws Error with its output if it ends before that */
  static async start(env: Record<string, string>): Promise<ServerProcess> {
    if (!existsSync(MAIN)) throw new Error("build the server first: node scripts/build.mjs");
    const child = spawn(process.execPath, [MAIN, "--empty"], {
      env: { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "fatal", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      process.stderr.write(chunk);
    });
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        const address = /http:\/\/[\w.]+:\d+/.exec(output);
        if (address) resolve(address[0].replace("localhost", "127.0.0.1"));
      });
      child.once("exit", () => reject(new Error(`the server ended:\n${output}`)));
    });
    return new ServerProcess(child, url);
  }

  private constructor(child: ChildProcess, url: string) {
    this.#process = child;
    this.url = url;
  }

  /** Stops it with SIGTERM, as an operator does. Returns its exit code. */
  async stop(): Promise<number | null> {
    return this.#end("SIGTERM");
  }

  /** Kills it with SIGKILL. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async #end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const ended = once(this.#process, "exit");
      this.#process.kill(signal);
      await ended;
    }
    return this.#process.exitCode;
  }
}
