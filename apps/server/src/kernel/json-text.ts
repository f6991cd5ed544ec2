/** An answer that is already JSON, which is sent as it is: nobody parses it here or serialises it again. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** For whoever serialises it as a part of something else. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
