import type { Due } from "@innkey/shared/schemas/identity/auth";
import { failureText } from "@/lib/rest.ts";
import { confirm } from "../confirm.ts";
import { t } from "../i18n.ts";
import type { Failure } from "../rest.ts";
import { toast, untilToasterShown } from "../toast.ts";

/** Pages on which an operator does what is required before anything else. */
export const DUTY_PAGES = { password: "/new-password", two_step: "/two-step" } as const satisfies Record<Due, string>;

const NETWORK_TOAST_MILLISECONDS = 1000;
const REVOKED_DELAY_MILLISECONDS = 1000;
const TOASTER_WAIT_MILLISECONDS = 10_000;

let ending = false;

function toLogin(): void {
  const target = location.pathname + location.search;
  const redirect = target.startsWith("/login") ? "" : `?redirect=${encodeURIComponent(target)}`;
  location.assign(`/login${redirect}`);
}

/** Until the operator has chosen a password or set up a second factor there, the server refuses everything else. */
function toDuty(due: Due): void {
  const page = DUTY_PAGES[due];
  if (location.pathname !== page) {
    location.assign(`${page}?redirect=${encodeURIComponent(location.pathname + location.search)}`);
  }
}

async function askToLogInAgain(): Promise<void> {
  if (ending) return;
  ending = true;
  const again = await confirm({
    title: t("shell.sessionExpiredTitle"),
    description: t("shell.sessionExpiredText"),
    confirmLabel: t("shell.logInAgain"),
  });
  ending = false;
  if (again) toLogin();
}

/** Leaves the page only after the reason was readable for a second, because the toaster may still have to be loaded. */
async function signOutSoon(failure: Failure): Promise<void> {
  if (ending) return;
  ending = true;
  toast.error(failureText(failure));
  await Promise.race([untilToasterShown(), pause(TOASTER_WAIT_MILLISECONDS)]);
  await pause(REVOKED_DELAY_MILLISECONDS);
  toLogin();
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Handles every failed call (source: the product specification, section 8). Other failures of queries are not
 * announced, because the screen shows them in place of its data.
 */
export function report(failure: Failure, from: "query" | "mutation" | "form"): void {
  switch (failure.code) {
    case "session_expired":
      void askToLogInAgain();
      return;
    case "session_revoked":
    case "session_missing":
      void signOutSoon(failure);
      return;
    case "password_due":
      toDuty("password");
      return;
    case "two_step_due":
      toDuty("two_step");
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
