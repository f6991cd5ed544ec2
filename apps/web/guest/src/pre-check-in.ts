import { COUNTRY_CODES } from "@innkey/shared/countries";
import type { GuestPageInside } from "@innkey/shared/schemas/overview/guest-page";
import type { GuestPictureKind } from "@innkey/shared/schemas/stays/pre-check-in";
import type { Acts } from "./acts.ts";
import { CallError } from "./calls.ts";
import { card, h } from "./elements.ts";
import { type PictureField, photoField, signatureField, UnreadablePhoto } from "./pictures.ts";
import { language, type TextKey, t } from "./texts.ts";

type Control = HTMLInputElement | HTMLSelectElement;

/**
 * Asks the guest before they arrive for what the hotel wants to know, or says that the desk has it. `checksIn`: the guest
 * may need no desk for their key.
 */
export function preCheckInCard(
  questions: NonNullable<GuestPageInside["preCheckIn"]>,
  checksIn: boolean,
  { calls, reload, say }: Acts,
): HTMLElement {
  const { asksIdentity, asksDocument, asksArrival, sentAt, answered } = questions;
  const title = t("guestPage.preCheckIn.title");
  if (answered) {
    return card(title, h("p", {}, t(checksIn ? "guestPage.preCheckIn.checked" : "guestPage.preCheckIn.answered")));
  }
  const controls: Record<string, Control> = {
    ...(asksIdentity && {
      name: h("input", { id: "own-name", type: "text", maxlength: "120", autocomplete: "name", dir: "auto" }),
      birthDate: h("input", { id: "birth-date", type: "date", min: "1900-01-01", autocomplete: "bday" }),
      nationality: countrySelect(),
    }),
    ...(asksDocument && {
      documentType: choice("document-type", [
        ["passport", t("guestPage.preCheckIn.passport")],
        ["id_card", t("guestPage.preCheckIn.idCard")],
      ]),
      documentNumber: h("input", {
        id: "document-number",
        type: "text",
        maxlength: "40",
        autocomplete: "off",
        dir: "ltr",
      }),
    }),
    ...(asksArrival && { arrivalTime: h("input", { id: "arrival-time", type: "time" }) }),
  };
  const pictures: Partial<Record<GuestPictureKind, PictureField>> = {
    ...(questions.asksPhoto && { document: photoField(questions.sentPictures.includes("document")) }),
    ...(questions.asksSignature && { signature: signatureField(questions.sentPictures.includes("signature")) }),
  };
  const error = h("p", { class: "error", role: "alert" });
  const button = h("button", { id: "pre-check-in", type: "submit" }, t("guestPage.preCheckIn.send"));

  async function send(): Promise<void> {
    button.disabled = true;
    error.textContent = "";
    try {
      await calls.sendPreCheckIn({ ...valuesOf(controls), ...(await readPictures(pictures)) });
      say(t("guestPage.preCheckIn.sent"));
      await reload();
    } catch (failure) {
      if (!(failure instanceof CallError || failure instanceof UnreadablePhoto)) throw failure;
      error.textContent = messageOf(failure);
    } finally {
      button.disabled = false;
    }
  }

  const rows = Object.entries(controls).flatMap(([name, control]): HTMLElement[] => [
    h("label", { for: control.id }, t(`guestPage.preCheckIn.${name}` as TextKey)),
    control,
  ]);
  rows.push(...Object.values(pictures).flatMap((field) => field.rows));
  const submit = (event: Event): void => {
    event.preventDefault();
    void send();
  };
  return card(
    title,
    h("p", {}, t(sentAt === null ? "guestPage.preCheckIn.text" : "guestPage.preCheckIn.again")),
    h("form", { submit }, ...rows, error, button),
  );
}

/** What is left blank isn't sent. */
function valuesOf(controls: Record<string, Control>): Record<string, string> {
  const filled = Object.entries(controls).filter(([, { value }]) => value.trim() !== "");
  return Object.fromEntries(filled.map(([name, { value }]) => [name, value]));
}

async function readPictures(fields: Partial<Record<GuestPictureKind, PictureField>>): Promise<Record<string, string>> {
  const read: Record<string, string> = {};
  for (const [kind, field] of Object.entries(fields)) {
    const picture = await field.read();
    if (picture !== null) read[kind] = picture;
  }
  return read;
}

function choice(id: string, options: [value: string, label: string][]): HTMLSelectElement {
  return h("select", { id }, ...options.map(([value, label]) => h("option", { value }, label)));
}

function countrySelect(): HTMLSelectElement {
  const names = new Intl.DisplayNames(language.tag, { type: "region" });
  const countries = COUNTRY_CODES.map((code): [string, string] => [code, names.of(code) ?? code]);
  countries.sort(([, a], [, b]) => a.localeCompare(b, language.tag));
  return choice("nationality", [["", ""], ...countries]);
}

/** Refusals of a picture: it is none, or too large. */
const isPictureRefusal = (failure: CallError): boolean => failure.code === "file_not_image" || failure.status === 413;

function messageOf(failure: CallError | UnreadablePhoto): string {
  if (failure instanceof UnreadablePhoto || isPictureRefusal(failure)) return t("guestPage.preCheckIn.notPicture");
  const { status, code } = failure;
  if (status === 0) return t("guestPage.offline.text");
  return code === "invalid_input" ? t("guestPage.preCheckIn.check") : t("guestPage.busy.text");
}
