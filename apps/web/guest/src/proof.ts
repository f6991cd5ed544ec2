import type { GuestPage } from "@innkey/shared/schemas/overview/guest-page";
import type { Acts } from "./acts.ts";
import { CallError } from "./calls.ts";
import { card, h } from "./elements.ts";
import { t } from "./texts.ts";

/** Asks for the last three characters of the document, or also of the phone number, once in each browser. */
export function proofCard(proof: GuestPage["proof"], { calls, reload, say }: Acts): HTMLElement {
  if (proof === "locked") return card(t("guestPage.proof.title"), h("p", {}, t("guestPage.proof.locked")));
  if (proof === "impossible") return card(t("guestPage.proof.title"), h("p", {}, t("guestPage.proof.impossible")));
  const input = h("input", {
    ...{
      id: "answer",
      type: "text",
      maxlength: "8",
      autocomplete: "off",
      autocapitalize: "characters",
      required: true,
    },
    ...{ spellcheck: "false", dir: "ltr", "aria-describedby": "proof-error" },
  });
  const error = h("p", { id: "proof-error", class: "error", role: "alert" });
  const button = h("button", { id: "prove", type: "submit" }, t("guestPage.proof.show"));
  const submit = async (): Promise<void> => {
    button.disabled = true;
    error.textContent = "";
    try {
      const outcome = await calls.prove(input.value);
      if (outcome === "wrong") {
        error.textContent = t("guestPage.proof.wrong");
        input.select();
      } else {
        if (outcome === "proven") say(t("guestPage.proof.done"));
        await reload();
      }
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure;
      if (failure.status === 404) await reload();
      else error.textContent = failure.status === 0 ? t("guestPage.offline.text") : t("guestPage.busy.text");
    } finally {
      button.disabled = false;
    }
  };
  const form = h(
    "form",
    {
      submit: (event) => {
        event.preventDefault();
        if (input.value.trim() !== "") void submit();
      },
    },
    h(
      "label",
      { for: "answer" },
      t(proof === "document_needed" ? "guestPage.proof.labelDocument" : "guestPage.proof.label"),
    ),
    input,
    error,
    button,
  );
  return card(t("guestPage.proof.title"), h("p", {}, t("guestPage.proof.text")), form);
}
