import type { Acts } from "./acts.ts";
import { CallError, type Calls } from "./calls.ts";
import { card, h } from "./elements.ts";
import { t } from "./texts.ts";

const ASK_MS = 700;
/** The console withdraws an opening after this time; nobody waits at a door for longer. */
const PATIENCE_MS = 32_000;
const WAITS: readonly string[] = ["queued", "sent"];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Opens the door of the guest's room; says "open" only when the lock has answered. */
export function openDoorCard({ calls, reload, say }: Acts): HTMLElement {
  const outcome = h("p", { class: "outcome", role: "status" });
  const button = h("button", { id: "open-door", class: "big", click: () => void open() }, t("guestPage.door.open"));

  async function open(): Promise<void> {
    button.disabled = true;
    outcome.textContent = t("guestPage.door.asking");
    try {
      const { commandId, state } = await calls.openDoor();
      outcome.textContent = (await waitFor(calls, commandId, state))
        ? t("guestPage.door.opened")
        : t("guestPage.door.failed");
      say(outcome.textContent);
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure;
      if (failure.status === 404) return await reload();
      outcome.textContent = messageOf(failure);
    } finally {
      button.disabled = false;
    }
  }

  return card(t("guestPage.door.title"), h("p", {}, t("guestPage.door.text")), button, outcome);
}

async function waitFor({ readOpening }: Calls, commandId: string, first: string): Promise<boolean> {
  const until = Date.now() + PATIENCE_MS;
  let state = first;
  while (WAITS.includes(state) && Date.now() < until) {
    await pause(ASK_MS);
    state = (await readOpening(commandId)).state;
  }
  return state === "acknowledged";
}

function messageOf({ status, code }: CallError): string {
  if (status === 429) return t("guestPage.door.tooOften");
  if (code === "lock_offline" || code === "lock_missing") return t("guestPage.door.unreachable");
  return status === 0 ? t("guestPage.offline.text") : t("guestPage.door.failed");
}
