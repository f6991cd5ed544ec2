import { done, type Outcome, RETVAL, refused, VirtualCard } from "./virtual-card.ts";

/** Faults that can be simulated. `down` names services that don't listen at all. */
export const SERVICES = ["http", "hid", "socket", "fingerprint"] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface Faults {
  /** the reader (and the sensor) is unplugged */
  noDevice: boolean;
  /** every key is rejected */
  wrongKey: boolean;
  /** the card is removed right after its sector was authenticated */
  cardGone: boolean;
  /** malformed answers */
  garbage: boolean;
  /** delay in milliseconds before every answer */
  slow: number;
  /** writing to the card fails */
  writeFails: boolean;
  down: ServiceName[];
}

export const NO_FAULTS: Faults = {
  noDevice: false,
  wrongKey: false,
  cardGone: false,
  garbage: false,
  slow: 0,
  writeFails: false,
  down: [],
};

const MAX_DELAY = 120_000;

/** Reads the known fields of a request to the control service; the other faults keep their values from `before`. */
export function faultsOf(input: unknown, before: Faults): Faults {
  const fields = Object(input) as Record<string, unknown>;
  const flag = (name: "noDevice" | "wrongKey" | "cardGone" | "garbage" | "writeFails"): boolean =>
    typeof fields[name] === "boolean" ? fields[name] : before[name];
  const down = Array.isArray(fields.down)
    ? SERVICES.filter((name) => (fields.down as unknown[]).includes(name))
    : before.down;
  const slow = typeof fields.slow === "number" ? Math.min(Math.max(0, fields.slow), MAX_DELAY) : before.slow;
  return {
    noDevice: flag("noDevice"),
    wrongKey: flag("wrongKey"),
    cardGone: flag("cardGone"),
    garbage: flag("garbage"),
    writeFails: flag("writeFails"),
    slow,
    down,
  };
}

/** Keys and access bits of a card that a hotel has initialised: either key reads, only key B writes. */
const HOTEL_KEYS = { keyA: "A0A1A2A3A4A5", keyB: "B0B1B2B3B4B5", access: "78778869" };

function demoCards(): VirtualCard[] {
  return [
    new VirtualCard({ name: "New card", uid: "4A8C21F3" }),
    new VirtualCard({ name: "Another new card", uid: "0B17D25E" }),
    new VirtualCard({ name: "A third new card", uid: "5D02E7A6" }),
    new VirtualCard({
      name: "Card with the hotel's keys",
      uid: "C3905D18",
      ...HOTEL_KEYS,
      blocks: { 4: "496E6E6B65793A206120676F6F642000" },
    }),
    new VirtualCard({ name: "Large card (4K)", uid: "7E1044B9", model: "classic4k" }),
    new VirtualCard({ name: "Paper ticket (Ultralight)", uid: "04A1B2C3D4E580", model: "ultralight" }),
  ];
}

/** A desk reader with the cards beside it. All services share this one. */
export class VirtualReader {
  readonly serial = "19470523";
  readonly model = "Innkey virtual reader";
  cards: VirtualCard[];
  faults: Faults = NO_FAULTS;
  /** log of its last actions for the control page, newest first */
  readonly diary: string[] = [];
  light = 0;
  beeps = 0;
  private open = false;
  private antenna = false;
  private onReader: VirtualCard | undefined;

  constructor(cards: VirtualCard[] = demoCards()) {
    this.cards = cards;
  }

  get card(): VirtualCard | undefined {
    return this.onReader;
  }

  get isOpen(): boolean {
    return this.open;
  }

  /** Puts a card on the reader; undefined removes the current one. */
  put(card: VirtualCard | undefined): void {
    this.onReader?.powerOff();
    this.onReader = card;
    this.note(card ? `card ${card.uid} put on` : "card taken away");
  }

  reset(): void {
    this.cards = demoCards();
    this.faults = NO_FAULTS;
    this.onReader = undefined;
    this.open = false;
    this.antenna = false;
    this.light = 0;
    this.beeps = 0;
    this.diary.length = 0;
  }

  note(what: string): void {
    this.diary.unshift(what);
    this.diary.length = Math.min(this.diary.length, 50);
  }

  openDevice(): Outcome {
    if (this.faults.noDevice) return refused(RETVAL.noDevice);
    this.open = true;
    return done();
  }

  closeDevice(): Outcome {
    return this.device(() => {
      this.open = false;
      this.antenna = false;
      return done();
    });
  }

  /** Runs an action that needs an open reader. */
  device(act: () => Outcome): Outcome {
    if (this.faults.noDevice) {
      this.open = false;
      return refused(RETVAL.noDevice);
    }
    return this.open ? act() : refused(RETVAL.notOpen);
  }

  setRadio(): Outcome {
    return this.device(() => done());
  }

  setAntenna(on: boolean): Outcome {
    return this.device(() => {
      if (!on) this.onReader?.powerOff();
      this.antenna = on;
      return done();
    });
  }

  setLight(color: number): Outcome {
    return this.device(() => {
      this.light = color;
      return done();
    });
  }

  beep(): Outcome {
    return this.device(() => {
      this.beeps++;
      return done();
    });
  }

  readSerial(): Outcome {
    return this.device(() => done(this.serial));
  }

  /** Runs an action that needs a card in the field. */
  private field(act: (card: VirtualCard) => Outcome, without: number = RETVAL.noCard): Outcome {
    return this.device(() => (this.antenna && this.onReader ? act(this.onReader) : refused(without)));
  }

  request(mode: number): Outcome {
    return this.field((card) => card.request(mode === 0x52), RETVAL.request);
  }

  anticollision(): Outcome {
    return this.field((card) => card.anticollision());
  }

  longUid(): Outcome {
    return this.field((card) => (card.uid.length > 8 ? done(card.uid) : refused(RETVAL.request)));
  }

  select(uid: string): Outcome {
    return this.field((card) => card.select(uid));
  }

  halt(): Outcome {
    return this.field((card) => card.halt());
  }

  authenticate(key: "A" | "B", block: number, keyHex: string): Outcome {
    const outcome = this.field(
      (card) => card.authenticate(key, block, this.faults.wrongKey ? "" : keyHex),
      RETVAL.authentication,
    );
    if (this.faults.cardGone && outcome.retval === RETVAL.done) this.put(undefined);
    return outcome;
  }

  read(block: number): Outcome {
    return this.field((card) => card.read(block), RETVAL.read);
  }

  write(block: number, data: string): Outcome {
    if (this.faults.writeFails) return this.field(() => refused(RETVAL.write), RETVAL.write);
    return this.field((card) => card.write(block, data), RETVAL.write);
  }
}
