import type { Acts } from "./acts.ts";
import { attempt } from "./departure.ts";
import { card, h } from "./elements.ts";
import { t } from "./texts.ts";

/** For a phone that somebody else uses too. */
export function forgetCard({ forget }: Acts): HTMLElement {
  const error = h("p", { class: "error", role: "alert" });
  const button = h(
    "button",
    { id: "forget", class: "second", click: () => void attempt(button, error, forget) },
    t("guestPage.forget.act"),
  );
  return card(t("guestPage.forget.title"), h("p", {}, t("guestPage.forget.text")), button, error);
}
