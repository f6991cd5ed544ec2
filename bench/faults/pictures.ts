import type { Browser } from "../soak/asking.ts";
import { ask, errorCodeOf, Refused } from "../soak/asking.ts";
import type { Timeline } from "./timeline.ts";

/** A picture of 1 × 1 pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const BOUNDARY = "----a-picture";
const BODY = Buffer.concat([
  Buffer.from(
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`,
  ),
  PNG,
  Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
]);

/** Uploads and reads pictures of rooms. */
export class Pictures {
  readonly fileIds: string[] = [];
  readonly #url: string;
  readonly #desk: Browser;
  readonly #timeline: Timeline;

  constructor(url: string, desk: Browser, timeline: Timeline) {
    this.#url = url;
    this.#desk = desk;
    this.#timeline = timeline;
  }

  async upload(dueMs: number): Promise<void> {
    await this.#measure("bring a picture in", dueMs, async () => {
      const headers = { ...this.#desk.headers, "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
      const { status, body } = await ask(`${this.#url}/api/files?kind=room`, headers, BODY, 45_000);
      if (status !== 201) throw new Refused(status, errorCodeOf(body.toString()));
      this.fileIds.push((JSON.parse(body.toString()) as { id: string }).id);
    });
  }

  async view(dueMs: number): Promise<void> {
    const id = this.fileIds[Math.floor(Math.random() * this.fileIds.length)];
    if (id) await this.#measure("look at a picture", dueMs, () => this.#read(id));
  }

  /** Returns the number of pictures that were accepted but can't be read. */
  async missing(): Promise<number> {
    const read = await Promise.allSettled(this.fileIds.map((id) => this.#read(id)));
    return read.filter(({ status }) => status === "rejected").length;
  }

  async #read(id: string): Promise<void> {
    const { status, body } = await ask(`${this.#url}/files/${id}`, this.#desk.headers, undefined, 45_000);
    if (status !== 200) throw new Refused(status, errorCodeOf(body.toString()));
  }

  async #measure(kind: string, dueMs: number, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#timeline.answered(kind, performance.now() - dueMs);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#timeline.failed(kind, reason, performance.now() - dueMs);
    }
  }
}
