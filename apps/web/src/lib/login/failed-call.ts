import type { Due } from "@innkey/shared/schemas/identity/auth";
import { failureText } from "@/lib/rest.ts";
import { confirm } from "../confirm.ts";
import { t } from "../i18n.ts";
import { forgetKeptPaper } from "../offline/forget-kept-paper.ts";
import { forgetKeptBoard } from "../offline/kept-board.ts";
import type { Failure } from "../rest.ts";
import { toast, untilToasterShown } from "../toast.ts";

/** Pages on which an operator does what is required before anything else. */
export const DUTY_PAGES = { password: "/new-password", two_step: "/two-step" } as const satisfies Record<Due, string>;

const NETWORK_TOAST_MILLISECONDS = 1000;
const REVOKED_DELAY_MILLISECONDS = 1000;
const TOASTER_WAIT_MILLISECONDS = 10_000;

let isEnding = false;

function goToLogin(): void {
  const target = location.pathname + location.search;
  const redirect = target.startsWith("/login") ? "" : `?redirect=${encodeURIComponent(target)}`;
  location.assign(`/login${redirect}`);
}

/** Opens the page of the required action. Until it is done, the server refuses everything else. */
function goToDuty(due: Due): void {
  const page = DUTY_PAGES[due];
  if (location.pathname !== page) {
    location.assign(`${page}?redirect=${encodeURIComponent(location.pathname + location.search)}`);
  }
}

async function askToLogInAgain(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  const isConfirmed = await confirm({
    title: t("shell.sessionExpiredTitle"),
    description: t("shell.sessionExpiredText"),
    confirmLabel: t("shell.logInAgain"),
  });
  isEnding = false;
  if (isConfirmed) goToLogin();
}

/** Shows the reason for a second before leaving the page. The toaster may have to be loaded first. */
async function signOutSoon(failure: Failure): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  toast.error(failureText(failure));
  await Promise.race([untilToasterShown(), pause(TOASTER_WAIT_MILLISECONDS)]);
  await pause(REVOKED_DELAY_MILLISECONDS);
  goToLogin();
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Handles every failed call (source: the product specification, section 8). Other failures of queries are not
 * announced, because the screen shows them in place of its data.
 */
export function handleFailedCall(failure: Failure, from: "query" | "mutation" | "form"): void {
  switch (failure.code) {
    case "session_expired":
      void forgetKeptBoard();
      void askToLogInAgain();
      return;
    case "session_revoked":
    case "session_missing":
      void forgetKeptBoard();
      forgetKeptPaper();
      void signOutSoon(failure);
      return;
    case "password_due":
      goToDuty("password");
      return;
    case "two_step_due":
      goToDuty("two_step");
      return;
    case "feature_off":
    case "repeated":
      return;
    case "network":
    case "timeout":
      toast.error(failureText(failure), { id: "network", duration: NETWORK_TOAST_MILLISECONDS });
      return;
    default:
      if (from === "mutation") toast.error(failureText(failure), { description: reference(failure) });
  }
}

function reference(failure: Failure): string | undefined {
  return failure.code === "internal" && failure.requestId
    ? t("common.reference", { id: failure.requestId })
    : undefined;
}
