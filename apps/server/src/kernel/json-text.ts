/** An answer that is already JSON, which is sent as it is: nobody parses it here or serialises it again. */
export class JsonText<T = unknown> {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** For whoever serialises it as a part of something else. */
  toJSON(): T {
    return JSON.parse(this.text) as T;
  }
}
