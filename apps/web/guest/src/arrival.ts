import type { GuestPage, GuestPageInside } from "@innkey/shared/schemas/overview/guest-page";
import type { Acts } from "./acts.ts";
import { CallError } from "./calls.ts";
import { attempt } from "./departure.ts";
import { card, h } from "./elements.ts";
import { formatInstant } from "./formats.ts";
import { type TextKey, t } from "./texts.ts";

type State = NonNullable<GuestPageInside["checkIn"]>;

const TEXTS: Record<State, TextKey> = {
  possible: "guestPage.checkIn.possible",
  too_early: "guestPage.checkIn.tooEarly",
  details_missing: "guestPage.checkIn.detailsMissing",
  not_paid: "guestPage.checkIn.notPaid",
  see_desk: "guestPage.checkIn.seeDesk",
};

/** Checks the guest in, or says what is missing for it. */
export function checkInCard({ hotel, stay }: GuestPage, state: State, { calls, reload, say }: Acts): HTMLElement {
  const textOf = (of: State): string => t(TEXTS[of], { at: formatInstant(stay.startsAt, hotel.timeZone) });
  const text = h("p", { id: "check-in-text" }, textOf(state));
  if (state !== "possible") return card(t("guestPage.checkIn.title"), text);
  const error = h("p", { class: "error", role: "alert" });
  const button = h(
    "button",
    {
      id: "check-in",
      class: "big",
      click: () =>
        void attempt(button, error, async () => {
          const outcome = await calls.checkIn().catch((failure: unknown) => {
            // The desk has just taken the offer or the link back.
            if (failure instanceof CallError && failure.status === 404) return null;
            throw failure;
          });
          if (outcome === null) return await reload();
          if (outcome === "checked_in") {
            say(t("guestPage.checkIn.done"));
            await reload();
            return;
          }
          // What the page showed before was no longer so, and pressing again would bring the same answer.
          text.textContent = textOf(outcome);
          say(text.textContent);
          button.remove();
        }),
    },
    t("guestPage.checkIn.act"),
  );
  return card(t("guestPage.checkIn.title"), text, button, error);
}
