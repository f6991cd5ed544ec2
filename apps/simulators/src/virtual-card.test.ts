import { describe, expect, it } from "vitest";
import { accessOf, keyBOpens, RETVAL, VirtualCard } from "./virtual-card.ts";

const FACTORY = "FFFFFFFFFFFF";
const DATA = "00112233445566778899AABBCCDDEEFF";
const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));

function selected(card: VirtualCard): VirtualCard {
  card.request(true);
  card.select(card.uid);
  return card;
}
const hotelCard = (): VirtualCard =>
  new VirtualCard({ name: "", uid: "C3905D18", keyA: "A0A1A2A3A4A5", keyB: "B0B1B2B3B4B5", access: "78778869" });

describe("access bits", () => {
  it("reads the delivery conditions", () => {
    expect(accessOf(bytes(`${FACTORY}FF078069${FACTORY}`))?.groups).toEqual([0, 0, 0, 1]);
  });

  it("sees that plain and inverted bits disagree", () => {
    expect(accessOf(bytes(`${FACTORY}FF078169${FACTORY}`))).toBeUndefined();
  });

  it("does not let a readable key B authenticate", () => {
    const factory = accessOf(bytes(`${FACTORY}FF078069${FACTORY}`));
    const hotel = accessOf(bytes(`${FACTORY}78778869${FACTORY}`));
    expect([factory && keyBOpens(factory), hotel && keyBOpens(hotel)]).toEqual([false, true]);
  });
});

describe("a MIFARE Classic card", () => {
  it("is read and written with its key", () => {
    const card = selected(new VirtualCard({ name: "", uid: "4A8C21F3" }));
    expect(card.authenticate("A", 4, FACTORY).retval).toBe(0);
    expect(card.write(5, DATA).retval).toBe(0);
    expect(card.read(5)).toEqual({ retval: 0, data: DATA });
  });

  it("opens one sector at a time", () => {
    const card = selected(new VirtualCard({ name: "", uid: "4A8C21F3" }));
    card.authenticate("A", 4, FACTORY);
    expect(card.read(8).retval).toBe(RETVAL.read);
  });

  it("answers nothing after a wrong key until it is selected again", () => {
    const card = selected(new VirtualCard({ name: "", uid: "4A8C21F3" }));
    expect(card.authenticate("A", 4, "000000000000").retval).toBe(RETVAL.authentication);
    expect(card.authenticate("A", 4, FACTORY).retval).toBe(RETVAL.authentication);
    expect(card.request(false).retval).toBe(RETVAL.request);
    expect(selected(card).authenticate("A", 4, FACTORY).retval).toBe(0);
  });

  it("lets key A read and only key B write if the access bits say so", () => {
    const card = selected(hotelCard());
    card.authenticate("A", 4, "A0A1A2A3A4A5");
    expect(card.read(4).retval).toBe(0);
    expect(card.write(4, DATA).retval).toBe(RETVAL.write);
    selected(card).authenticate("B", 4, "B0B1B2B3B4B5");
    expect(card.write(4, DATA).retval).toBe(0);
  });

  it("never returns key A, and key B only if it is data", () => {
    const factory = selected(new VirtualCard({ name: "", uid: "4A8C21F3" }));
    factory.authenticate("A", 7, FACTORY);
    expect(factory.read(7).data).toBe(`000000000000FF078069${FACTORY}`);
    const hotel = selected(hotelCard());
    hotel.authenticate("A", 7, "A0A1A2A3A4A5");
    expect(hotel.read(7).data).toBe("00000000000078778869000000000000");
  });

  it("is locked for ever by a malformed trailer", () => {
    const card = selected(new VirtualCard({ name: "", uid: "4A8C21F3" }));
    card.authenticate("A", 4, FACTORY);
    expect(card.write(7, `${FACTORY}00000000${FACTORY}`).retval).toBe(0);
    expect(selected(card).authenticate("A", 4, FACTORY).retval).toBe(RETVAL.authentication);
  });

  it("does not let the manufacturer's block be written", () => {
    const card = selected(new VirtualCard({ name: "", uid: "4A8C21F3" }));
    card.authenticate("A", 0, FACTORY);
    expect(card.write(0, DATA).retval).toBe(RETVAL.write);
    expect(card.read(0).data.startsWith("4A8C21F314")).toBe(true);
  });
});
