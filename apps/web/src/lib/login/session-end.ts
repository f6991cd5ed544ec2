import type { Due } from "@innkey/shared/schemas/auth";
import { failureText } from "../api-error.ts";
import { confirm } from "../confirm.ts";
import { t } from "../i18n.ts";
import type { Failure } from "../rest.ts";
import { toast } from "../toast.ts";

/** Where somebody does what is due before anything else. */
export const DUTY_PAGES = { password: "/new-password", two_step: "/two-step" } as const satisfies Record<Due, string>;

const NETWORK_TOAST_MILLISECONDS = 1000;
const REVOKED_DELAY_MILLISECONDS = 1000;

let ending = false;

function toLogin(): void {
  const target = location.pathname + location.search;
  const redirect = target.startsWith("/login") ? "" : `?redirect=${encodeURIComponent(target)}`;
  location.assign(`/login${redirect}`);
}

/** Nothing else is answered before what is done there: a password is chosen, or a second factor set up. */
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

function signOutSoon(failure: Failure): void {
  if (ending) return;
  ending = true;
  toast.error(failureText(failure), { duration: REVOKED_DELAY_MILLISECONDS * 5 });
  setTimeout(toLogin, REVOKED_DELAY_MILLISECONDS);
}

/**
 * What every failed call does, wherever it was made (source: the product specification, section 8). Queries keep their
 * other failures to themselves: the screen shows them in place of its data.
 */
export function report(failure: Failure, from: "query" | "mutation" | "form"): void {
  switch (failure.code) {
    case "session_expired":
      void askToLogInAgain();
      return;
    case "session_revoked":
    case "session_missing":
      signOutSoon(failure);
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
