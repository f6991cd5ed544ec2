import type { GuestPage, GuestPageCode, GuestPageInside } from "@innkey/shared/schemas/overview/guest-page";
import type { Acts } from "./acts.ts";
import { checkInCard } from "./arrival.ts";
import { checkOutCard, lateCard } from "./departure.ts";
import { openDoorCard } from "./door.ts";
import { bdi, card, facts, h } from "./elements.ts";
import { forgetCard } from "./forget.ts";
import { formatDay, formatInstant, formatMoney, formatTime } from "./formats.ts";
import { preCheckInCard } from "./pre-check-in.ts";
import { proofCard } from "./proof.ts";
import { qrCode, wifiCode } from "./qr-code.ts";
import { type TextKey, t } from "./texts.ts";

/** Returns a page as it was kept, without what needs the server. */
export const withoutActs = (page: GuestPage): GuestPage => ({
  ...page,
  inside: page.inside && {
    ...page.inside,
    canOpen: false,
    canAskLate: false,
    canCheckOut: false,
    checkIn: null,
    preCheckIn: null,
  },
});

/** Returns the parts of the page, the most urgent first. */
export function cardsOf(page: GuestPage, acts: Acts): HTMLElement[] {
  const { hotel, inside } = page;
  return [
    h("header", {}, h("h1", {}, bdi(hotel.name)), h("p", {}, welcome(page))),
    ...(inside ? insideCards(page, inside, acts) : [proofCard(page.proof, acts)]),
    stayCard(page),
    ...(hotel.notice === ""
      ? []
      : [card(t("guestPage.notice"), h("p", { class: "own-words", dir: "auto" }, hotel.notice))]),
    wayCard(page),
    ...(inside ? [forgetCard(acts)] : []),
  ];
}

function welcome({ inside, stay }: GuestPage): string {
  if (inside) return t("guestPage.welcomeName", { name: inside.guestName });
  return stay.state === "reserved" ? t("guestPage.expected") : t("guestPage.welcome");
}

function insideCards(page: GuestPage, inside: GuestPageInside, acts: Acts): HTMLElement[] {
  return [
    ...(inside.blockedOut ? [h("section", { class: "card notice" }, h("p", {}, t("guestPage.door.blocked")))] : []),
    inside.room
      ? roomCard(page, inside, inside.room.name)
      : card(t("guestPage.room"), h("p", {}, t("guestPage.roomLater"))),
    ...(inside.checkIn ? [checkInCard(page, inside.checkIn, acts)] : []),
    ...(inside.preCheckIn ? [preCheckInCard(inside.preCheckIn, inside.checkIn !== null, acts)] : []),
    ...(inside.canOpen ? [openDoorCard(acts)] : []),
    ...(inside.wifi ? [wifiCard(inside.wifi)] : []),
    ...(inside.bill ? [billCard(page, inside.bill)] : []),
    ...(inside.canAskLate || inside.late ? [lateCard(page, inside, acts)] : []),
    ...(inside.canCheckOut ? [checkOutCard(acts)] : []),
  ];
}

function roomCard({ hotel }: GuestPage, { codes }: GuestPageInside, room: string): HTMLElement {
  return card(
    t("guestPage.room"),
    h("p", { class: "room" }, bdi(room)),
    ...codes.map((code) => codePart(code, hotel.timeZone)),
    codes.length === 0 && h("p", { class: "quiet" }, t("guestPage.noCode")),
  );
}

function codePart({ code, changing, once, validFrom, validTo }: GuestPageCode, timeZone: string): HTMLElement {
  if (code === null) {
    return h("div", { class: "code" }, h("h3", {}, t("guestPage.code")), h("p", {}, t("guestPage.codeNotReady")));
  }
  const later =
    Date.parse(validFrom) > Date.now() && t("guestPage.codeFrom", { at: formatInstant(validFrom, timeZone) });
  const end = validTo && t("guestPage.codeUntil", { at: formatInstant(validTo, timeZone) });
  return h(
    "div",
    { class: "code" },
    h("h3", {}, t("guestPage.code")),
    // Digit by digit, so that a screen reader doesn't say a number of hundreds of thousands.
    h("p", { class: "visually-hidden" }, [...code].join(" ")),
    h("p", { class: "digits", "aria-hidden": "true" }, h("bdi", { dir: "ltr" }, code.replace(/(\d{3})(?=\d)/g, "$1 "))),
    later ? h("p", {}, later) : null,
    once
      ? h("p", {}, t("guestPage.codeOnce"))
      : changing
        ? h("p", {}, t("guestPage.codeChanging"))
        : end
          ? h("p", {}, end)
          : null,
  );
}

const wifiCard = (wifi: NonNullable<GuestPageInside["wifi"]>): HTMLElement =>
  card(
    t("guestPage.wifi"),
    facts(
      [t("guestPage.wifiName"), bdi(wifi.name)],
      wifi.password === ""
        ? null
        : [t("guestPage.wifiPassword"), h("bdi", { class: "secret", dir: "ltr" }, wifi.password)],
    ),
    h("details", {}, h("summary", {}, t("guestPage.wifiCode")), qrCode(wifiCode(wifi), t("guestPage.wifiCode"))),
  );

const TYPES: Record<string, TextKey> = {
  room: "guestPage.charge.room",
  renewal: "guestPage.charge.renewal",
  exchange: "guestPage.charge.exchange",
  breakfast: "guestPage.breakfast",
};

function billCard({ hotel }: GuestPage, bill: NonNullable<GuestPageInside["bill"]>): HTMLElement {
  const { currency, timeZone } = hotel;
  const sum = (key: TextKey, minor: number): HTMLElement =>
    h(
      "tr",
      { class: "sum" },
      h("th", { scope: "row", colspan: "2" }, t(key)),
      h("td", {}, bdi(formatMoney(minor, currency))),
    );
  const rows = bill.entries.map(({ type, note, amountMinor, at }) =>
    h(
      "tr",
      {},
      h("td", {}, formatDay(at, timeZone)),
      h("td", { dir: "auto" }, type === "extra" && note !== "" ? note : t(TYPES[type] ?? "guestPage.charge.other")),
      h("td", {}, bdi(formatMoney(amountMinor, currency))),
    ),
  );
  return card(
    t("guestPage.bill"),
    h(
      "table",
      {},
      h("tbody", {}, ...rows),
      h(
        "tfoot",
        {},
        sum("guestPage.charged", bill.chargedMinor),
        sum("guestPage.paid", bill.chargedMinor - bill.owedMinor),
        ...(bill.depositHeldMinor === 0 ? [] : [sum("guestPage.deposit", bill.depositHeldMinor)]),
        sum("guestPage.owed", bill.owedMinor),
      ),
    ),
    h("p", { class: "quiet" }, t("guestPage.billText")),
  );
}

function stayCard({ hotel, stay }: GuestPage): HTMLElement {
  const { timeZone } = hotel;
  const hours = `${formatTime(hotel.breakfastFrom)} – ${formatTime(hotel.breakfastTo)}`;
  return card(
    t("guestPage.stay"),
    facts(
      [t("guestPage.arrival"), formatInstant(stay.startsAt, timeZone)],
      [t("guestPage.departure"), formatInstant(stay.endsAt, timeZone)],
      [stay.breakfast ? t("guestPage.breakfastIncluded") : t("guestPage.breakfast"), bdi(hours)],
    ),
  );
}

function wayCard({ hotel }: GuestPage): HTMLElement {
  const { address, tel, latitude, longitude } = hotel;
  const at = latitude === null || longitude === null ? null : `${latitude}/${longitude}`;
  const map = at && `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${at}`;
  return card(
    t("guestPage.way"),
    address === "" ? null : h("p", { class: "own-words", dir: "auto" }, address),
    h(
      "p",
      { class: "links" },
      map !== null && h("a", { href: map, rel: "noopener noreferrer", target: "_blank" }, t("guestPage.map")),
      tel !== "" && h("a", { href: `tel:${tel.replace(/[^\d+]/g, "")}` }, t("guestPage.call"), " ", bdi(tel)),
    ),
  );
}
