import type { GuestPage, GuestPageInside } from "@innkey/shared/schemas/overview/guest-page";
import type { Acts } from "./acts.ts";
import { CallError } from "./calls.ts";
import { card, h } from "./elements.ts";
import { formatClock } from "./formats.ts";
import { t } from "./texts.ts";

function failureText({ status, code }: CallError): string {
  if (status === 0) return t("guestPage.offline.text");
  return code === "invalid_input" ? t("guestPage.late.notLater") : t("guestPage.busy.text");
}

/** Runs an act, with its refusal beside it. */
export async function attempt(button: HTMLButtonElement, error: HTMLElement, act: () => Promise<void>): Promise<void> {
  button.disabled = true;
  error.textContent = "";
  try {
    await act();
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure;
    error.textContent = failureText(failure);
  } finally {
    button.disabled = false;
  }
}

/** Asks the desk for a later departure, or says how the request stands. */
export function lateCard(
  { hotel, stay }: GuestPage,
  { late }: GuestPageInside,
  { calls, reload, say }: Acts,
): HTMLElement {
  const title = t("guestPage.late.title");
  if (late) {
    const at = formatClock(late.until, hotel.timeZone);
    return card(title, h("p", {}, t(late.declined ? "guestPage.late.declined" : "guestPage.late.asked", { at })));
  }
  const input = h("input", { id: "late", type: "time", required: true });
  const error = h("p", { class: "error", role: "alert" });
  const button = h("button", { id: "ask-late", type: "submit", class: "second" }, t("guestPage.late.ask"));
  const submit = (event: Event): void => {
    event.preventDefault();
    void attempt(button, error, async () => {
      await calls.askLate(input.value);
      say(t("guestPage.late.sent"));
      await reload();
    });
  };
  return card(
    title,
    h("p", {}, t("guestPage.late.text", { at: formatClock(stay.endsAt, hotel.timeZone) })),
    h("form", { submit }, h("label", { for: "late" }, t("guestPage.late.label")), input, error, button),
  );
}

/** Checks the guest out, after one more question. */
export function checkOutCard({ calls, leave }: Acts): HTMLElement {
  const error = h("p", { class: "error", role: "alert" });
  const confirm = h(
    "button",
    {
      id: "confirm-check-out",
      click: () =>
        void attempt(confirm, error, async () => {
          await calls.checkOut();
          leave();
        }),
    },
    t("guestPage.checkOut.confirm"),
  );
  const question = h(
    "div",
    { hidden: true, class: "question" },
    h("p", {}, t("guestPage.checkOut.sure")),
    confirm,
    error,
  );
  const ask = h(
    "button",
    {
      id: "check-out",
      class: "second",
      click: () => {
        question.hidden = false;
        ask.hidden = true;
        confirm.focus();
      },
    },
    t("guestPage.checkOut.title"),
  );
  return card(t("guestPage.checkOut.title"), h("p", {}, t("guestPage.checkOut.text")), ask, question);
}
