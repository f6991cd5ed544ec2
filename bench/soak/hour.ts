import { randomBytes } from "node:crypto";
import { fileColumns } from "../../packages/shared/src/lists.ts";
import type { PreparedCard } from "../../packages/shared/src/schemas/access/cards.ts";
import { decryptAnswer, encryptPayload } from "../manage/old-client.ts";
import { OWNER } from "../measuring/owner.ts";
import { ask, Browser, type CallResult, logIn, Refused } from "./asking.ts";
import { type ExpectedRooms, readBoard } from "./boards.ts";
import type { Act } from "./busiest-hour.ts";
import { dayLater, period, type SoakHotel, type Stay } from "./hotel.ts";
import type { Measures } from "./measures.ts";

export interface HourDeps {
  server: string;
  hotelId: number;
  hotel: SoakHotel;
  measures: Measures;
  desks: readonly Browser[];
  /** What open boards should show; without them it isn't measured. */
  expectedRooms?: ExpectedRooms;
  /** token of a program of the old console */
  oldToken: string;
  /** token of a card service */
  serviceToken: string;
  /** Whether arrivals get cards; the default is true. */
  cards?: boolean;
}

/** The changes that the server acknowledged; all are looked for in the database at the end. */
export interface Acknowledged {
  /** ids of the requests that changed something, as in the audit log */
  requests: string[];
  checkIns: number[];
  checkOuts: number[];
  exportedFiles: number;
  exportedLines: number;
}

/** Errors that are expected because two desks want the same thing at once, or one desk is too late. */
const EXPECTED = new Set([
  "room_taken",
  "state_conflict",
  "code_taken",
  "price_changed",
  "exports_unfinished",
  "repeated",
]);

const uid = (): string => randomBytes(4).toString("hex").toUpperCase();
const guest = () => {
  const number = randomBytes(6).readUIntBE(0, 6);
  return { name: `Soak Guest ${number.toString(36)}`, mobile: `139${String(number % 100_000_000).padStart(8, "0")}` };
};

/** The actions of the busiest hour, each performed as a desk, a program or a door does it. */
export class Hour {
  readonly acknowledged: Acknowledged = {
    requests: [],
    checkIns: [],
    checkOuts: [],
    exportedFiles: 0,
    exportedLines: 0,
  };
  readonly #deps: HourDeps;
  #turn = 0;

  constructor(deps: HourDeps) {
    this.#deps = deps;
  }

  readonly acts: Record<Act, (dueMs: number) => Promise<void>> = {
    arrivals: (dueMs) => this.#arrival(dueMs),
    arrivalsOfOldClients: (dueMs) => this.#oldArrival(dueMs),
    departures: (dueMs) => this.#departure(dueMs),
    cleaned: (dueMs) => this.#clean(dueMs),
    doorCodes: (dueMs) => this.#doorCode(dueMs),
    renewals: (dueMs) => this.#renewal(dueMs),
    moves: (dueMs) => this.#move(dueMs),
    takenRooms: (dueMs) => this.#takenRoom(dueMs),
    doorsOpened: (dueMs) => this.#doorOpened(dueMs),
    guestsLookedUp: (dueMs) => this.#reads("look up guests", dueMs, "guests.list", { keyword: "Guest", pageSize: 20 }),
    recordsLookedUp: (dueMs) => this.#records(dueMs),
    logins: (dueMs) => this.#login(dueMs),
    exports: (dueMs) => this.#exports(dueMs),
    oldClientPolls: (dueMs) => this.#oldPoll(dueMs),
    cardsOfService: (dueMs) => this.#cardOfService(dueMs),
  };

  #desk(): Browser {
    const { desks } = this.#deps;
    const desk = desks[this.#turn++ % desks.length];
    if (!desk) throw new Error("there is no desk");
    return desk;
  }

  /**
   * Measures one request; returns null if it was refused. For the first request of an action, the latency includes any
   * delay before it was sent.
   */
  async #measure<T>(kind: string, dueMs: number, work: () => Promise<T>): Promise<T | null> {
    const { measures } = this.#deps;
    try {
      const result = await work();
      measures.answered(kind, performance.now() - dueMs);
      return result;
    } catch (error) {
      const code = error instanceof Refused ? error.code : error instanceof Error ? error.message : String(error);
      if (EXPECTED.has(code)) {
        measures.conflict(kind, code);
        measures.answered(kind, performance.now() - dueMs);
      } else measures.failed(kind, code, performance.now() - dueMs);
      return null;
    }
  }

  async #change<T>(kind: string, dueMs: number, procedure: string, input: unknown): Promise<T | null> {
    const result = await this.#measure<CallResult<T>>(kind, dueMs, () => this.#desk().change<T>(procedure, input));
    if (result) this.acknowledged.requests.push(result.requestId);
    return result?.result ?? null;
  }

  /** As `#change`, of an act whose way to the open boards is measured. */
  async #shownChange<T>(
    kind: string,
    { dueMs, procedure, input }: { dueMs: number; procedure: string; input: unknown },
    ...expected: Parameters<ExpectedRooms["expect"]>
  ): Promise<T | null> {
    const forget = this.#deps.expectedRooms?.expect(...expected);
    const result = await this.#change<T>(kind, dueMs, procedure, input);
    if (result === null) forget?.();
    return result;
  }

  async #reads(kind: string, dueMs: number, procedure: string, input?: unknown): Promise<void> {
    await this.#measure(kind, dueMs, () => this.#desk().read(procedure, input));
  }

  /** Prices, checks in and charges an arrival, then writes a card. */
  async #arrival(dueMs: number): Promise<void> {
    const { hotel } = this.#deps;
    const roomId = hotel.take(hotel.vacant);
    if (roomId === undefined) return this.#nothingToDo("check in");
    const input = { roomId, unit: "day", ...period() };
    const quote = await this.#measure("quote", dueMs, () =>
      this.#desk().read<{ totalMinor: number }>("stays.quote", input),
    );
    const stay =
      quote &&
      (await this.#shownChange<{ stayId: number }>(
        "check in",
        {
          dueMs: performance.now(),
          procedure: "stays.checkIn",
          input: { ...input, guests: [guest()], channel: "cash", expectedTotalMinor: quote.totalMinor },
        },
        roomId,
        ({ current }) => current !== null,
      ));
    if (!stay) {
      hotel.vacant.push(roomId);
      return;
    }
    this.acknowledged.checkIns.push(stay.stayId);
    if (this.#deps.cards !== false) await this.#card(stay.stayId);
    hotel.stays.push({ stayId: stay.stayId, roomId, endsAt: input.endsAt });
  }

  async #card(stayId: number): Promise<void> {
    const card = await this.#change<PreparedCard>("prepare card", performance.now(), "cards.prepare", {
      stayId,
      uid: uid(),
    });
    if (!card) return;
    await this.#change("confirm card", performance.now(), "cards.confirm", {
      cardId: card.cardId,
      readBack: card.data,
    });
  }

  async #oldArrival(dueMs: number): Promise<void> {
    const { hotel } = this.#deps;
    const roomId = hotel.take(hotel.vacant);
    if (roomId === undefined) return this.#nothingToDo("check in by an old client");
    const { startsAt, endsAt } = period();
    const seconds = (instant: string): number => Math.floor(Date.parse(instant) / 1000);
    const { name } = guest();
    const result = await this.#measure("check in by an old client", dueMs, () =>
      this.#old<{ stay_id: number }>("room/tenant/update/checkIn", {
        room_id: roomId,
        name,
        check_in_time: seconds(startsAt),
        check_out_time: seconds(endsAt),
      }),
    );
    if (!result) {
      hotel.vacant.push(roomId);
      return;
    }
    this.acknowledged.requests.push(result.requestId);
    this.acknowledged.checkIns.push(result.result.stay_id);
    hotel.stays.push({ stayId: result.result.stay_id, roomId, endsAt });
  }

  async #departure(dueMs: number): Promise<void> {
    const { hotel } = this.#deps;
    const stay = hotel.take(hotel.stays);
    if (!stay) return this.#nothingToDo("check out");
    const { stayId, roomId } = stay;
    await this.#measure("look up a stay", dueMs, () => this.#desk().read("stays.detail", { stayId }));
    const out = await this.#shownChange(
      "check out",
      { dueMs: performance.now(), procedure: "stays.checkOut", input: { stayId, channel: "cash" } },
      roomId,
      ({ current }) => current === null,
    );
    if (!out) {
      hotel.stays.push(stay);
      return;
    }
    this.acknowledged.checkOuts.push(stayId);
    hotel.dirty.push(roomId);
  }

  async #clean(dueMs: number): Promise<void> {
    const { hotel } = this.#deps;
    const roomId = hotel.take(hotel.dirty);
    if (roomId === undefined) return this.#nothingToDo("clean a room");
    const input = { roomIds: [roomId], status: "vacant" };
    const result = await this.#shownChange<{ updated: number[] }>(
      "clean a room",
      { dueMs, procedure: "rooms.setStatus", input },
      roomId,
      ({ condition }) => condition === "clean",
    );
    (result?.updated.includes(roomId) ? hotel.vacant : hotel.dirty).push(roomId);
  }

  async #withStay(kind: string, work: (stay: Stay) => Promise<Stay>): Promise<void> {
    const { hotel } = this.#deps;
    const stay = hotel.take(hotel.stays);
    if (!stay) return this.#nothingToDo(kind);
    hotel.stays.push(await work(stay));
  }

  #doorCode(dueMs: number): Promise<void> {
    return this.#withStay("door code", async (stay) => {
      const { roomId, stayId } = stay;
      const code = { type: "air", roomIds: [roomId], stayId, person: "Soak Guest" };
      await this.#change("door code", dueMs, "passcodes.create", code);
      return stay;
    });
  }

  #renewal(dueMs: number): Promise<void> {
    return this.#withStay("renew", async (stay) => {
      const input = { stayId: stay.stayId, endsAt: dayLater(stay.endsAt), channel: "cash" };
      const result = await this.#change("renew", dueMs, "stays.renew", input);
      return result ? { ...stay, endsAt: input.endsAt } : stay;
    });
  }

  #move(dueMs: number): Promise<void> {
    return this.#withStay("change room", async (stay) => {
      const { hotel } = this.#deps;
      const roomId = hotel.take(hotel.vacant);
      if (roomId === undefined) {
        this.#nothingToDo("change room");
        return stay;
      }
      const input = { stayId: stay.stayId, roomId, channel: "cash" };
      const result = await this.#change("change room", dueMs, "stays.changeRoom", input);
      (result ? hotel.dirty : hotel.vacant).push(result ? stay.roomId : roomId);
      return result ? { ...stay, roomId } : stay;
    });
  }

  /** Two desks want the same room at the same moment; one of them gets it. */
  async #takenRoom(dueMs: number): Promise<void> {
    const { hotel } = this.#deps;
    const roomId = hotel.take(hotel.vacant);
    if (roomId === undefined) return this.#nothingToDo("two want one room");
    const request = { roomId, unit: "day", ...period(), channel: "cash" };
    const both = [1, 2].map(() => {
      const input = { ...request, guests: [guest()] };
      return this.#change<{ stayId: number }>("two want one room", dueMs, "stays.checkIn", input);
    });
    const stays = (await Promise.all(both)).filter((stay) => stay !== null);
    for (const { stayId } of stays) this.acknowledged.checkIns.push(stayId);
    const [stay] = stays;
    if (stays.length > 1) this.#deps.measures.failed("two want one room", "both got it");
    if (stay) hotel.stays.push({ stayId: stay.stayId, roomId, endsAt: request.endsAt });
    else hotel.vacant.push(roomId);
  }

  async #doorOpened(dueMs: number): Promise<void> {
    const roomId = this.#deps.hotel.any(this.#deps.hotel.rooms);
    await this.#change("open a door", dueMs, "locks.open", { roomId, reason: "lockout" });
  }

  async #records(dueMs: number): Promise<void> {
    const roomId = this.#deps.hotel.any(this.#deps.hotel.rooms);
    await this.#measure("look up a room's records", dueMs, async () => {
      const { status } = await this.#desk().get(`rooms/${roomId}/unlocks?limit=20`);
      if (status !== 200) throw new Refused(status, undefined);
    });
  }

  /** Logs in, reads the board and logs out. */
  async #login(dueMs: number): Promise<void> {
    const { server } = this.#deps;
    const result = await this.#measure("log in", dueMs, () => logIn(server, OWNER));
    if (!result) return;
    this.acknowledged.requests.push(result.requestId);
    const desk = new Browser(server, result.result);
    await this.#measure("first board", performance.now(), () => readBoard(desk));
    const out = await this.#measure("log out", performance.now(), () => desk.change("auth.logout", undefined));
    if (out) this.acknowledged.requests.push(out.requestId);
  }

  async #exports(dueMs: number): Promise<void> {
    const list = this.#turn % 3 === 0 ? "guests" : "unlocks";
    const format = this.#turn % 2 === 0 ? "csv" : "xlsx";
    const columns = fileColumns(list);
    const lines = await this.#measure(`export ${format}`, dueMs, async () => {
      const desk = this.#desk();
      const answer = await desk.post("exports", { list, columns, format });
      if (answer.status !== 200 && answer.status !== 202) throw new Refused(answer.status, undefined);
      this.acknowledged.requests.push(answer.requestId);
      const file =
        answer.status === 200 ? answer.body : await this.#fetchFile(desk, JSON.parse(answer.body.toString()).id);
      return format === "csv" ? file.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0) : 0;
    });
    if (lines === null) return;
    this.acknowledged.exportedFiles += 1;
    this.acknowledged.exportedLines += lines;
  }

  /** Waits until an export is written and downloads it. */
  async #fetchFile(desk: Browser, id: string): Promise<Buffer> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      const rows = await desk.read<{ id: string; state: string; error: string }[]>("exports.list");
      const row = rows.find((one) => one.id === id);
      if (row?.state === "done") break;
      if (!row || row.state === "failed") throw new Error(`an export failed: ${row?.error ?? "it does not exist"}`);
    }
    const { status, body } = await desk.get(`exports/${id}/file`, { "accept-encoding": "identity" });
    if (status !== 200) throw new Refused(status, undefined);
    return body;
  }

  async #oldPoll(dueMs: number): Promise<void> {
    const page = 1 + (this.#turn++ % 5);
    await this.#measure("an old client polls", dueMs, () => this.#old("room/listNew", { page, page_size: 100 }));
  }

  async #old<T>(path: string, payload: Record<string, unknown>): Promise<CallResult<T>> {
    const headers = { "content-type": "application/json", "x-token": this.#deps.oldToken };
    const answer = await ask(`${this.#deps.server}/manage/${path}`, headers, encryptPayload(payload));
    if (answer.status !== 200) throw new Refused(answer.status, undefined);
    const { errno, errmsg, data } = decryptAnswer(answer.body.toString());
    if (errno === 100_008 && data.reason === "room_taken") throw new Refused(409, "room_taken");
    if (errno !== 0) throw new Error(`${errno} ${errmsg}`);
    return { result: data as T, requestId: answer.requestId };
  }

  async #cardOfService(dueMs: number): Promise<void> {
    const { server, hotelId, serviceToken, hotel } = this.#deps;
    const stay = hotel.any(hotel.stays);
    if (!stay) return this.#nothingToDo("card of a service");
    const seconds = Math.floor(Date.now() / 1000);
    const card = { hotelId, roomId: stay.roomId, cardNum: uid(), startTime: seconds, endTime: seconds + 86_400 };
    const headers = { "content-type": "application/json", authorization: `Bearer ${serviceToken}` };
    const result = await this.#measure("card of a service", dueMs, async () => {
      const answer = await ask(`${server}/linQuan/writeRoomCard`, headers, JSON.stringify(card));
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body.toString().slice(0, 200)}`);
      return answer;
    });
    if (result) this.acknowledged.requests.push(result.requestId);
  }

  /**
   * Counts an action for which the hotel has no suitable room or stay, so that the report shows runs that did little.
   */
  #nothingToDo(kind: string): void {
    this.#deps.measures.conflict(kind, "nothing to do");
  }
}
