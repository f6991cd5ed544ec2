import type { ErrorCode } from "@innkey/shared/errors";
import { failureOf } from "@/lib/api-error.ts";
import { confirm } from "@/lib/confirm.ts";
import { formatMoney } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import type { Failure } from "@/lib/rest.ts";

/** For refusals that the clerk may overrule: asks, and returns the changed input, or null if the clerk declines. */
type Questions<Input> = Partial<Record<ErrorCode, (failure: Failure) => Promise<Partial<Input> | null>>>;

/**
 * Sends a request, and sends it again with the clerk's answers. Returns null if a question was declined; other failures
 * are thrown.
 */
export async function askAndRepeat<Input extends object, Output>(
  input: Input,
  send: (input: Input) => Promise<Output>,
  questions: Questions<Input>,
): Promise<Output | null> {
  let current = input;
  for (;;) {
    try {
      return await send(current);
    } catch (error) {
      const failure = failureOf(error);
      const ask = failure.code === "network" || failure.code === "timeout" ? undefined : questions[failure.code];
      if (!ask) throw error;
      const answer = await ask(failure);
      if (!answer) return null;
      current = { ...current, ...answer };
    }
  }
}

/** Warnings that a clerk may overrule; each names what it is about. */
async function agreed<Answer>(answer: Answer, confirmation: Parameters<typeof confirm>[0]): Promise<Answer | null> {
  return (await confirm(confirmation)) ? answer : null;
}

const word = (failure: Failure, name: string): string => String(failure.params?.[name] ?? "");
const amount = (failure: Failure, name: string): number => Number(failure.params?.[name] ?? 0);

export function askAlreadyIn(failure: Failure): Promise<{ confirmAlreadyIn: true } | null> {
  const params = { guestName: word(failure, "guestName"), roomName: word(failure, "roomName") };
  return agreed(
    { confirmAlreadyIn: true },
    {
      title: t("stay.alreadyInTitle", params),
      description: t("stay.alreadyInText", params),
      confirmLabel: t("stay.continueAnyway"),
    },
  );
}

export function askDirty(failure: Failure): Promise<{ confirmDirty: true } | null> {
  const params = { roomName: word(failure, "roomName") };
  return agreed(
    { confirmDirty: true },
    {
      title: t("stay.dirtyTitle", params),
      description: t("stay.dirtyText"),
      confirmLabel: t("stay.continueAnyway"),
    },
  );
}

/** `refresh` loads the current quote, so that its lines are visible behind the question. */
export async function askNewPrice(
  failure: Failure,
  currency: string,
  refresh: () => Promise<unknown>,
): Promise<number | null> {
  await refresh();
  const actualMinor = amount(failure, "actualMinor");
  const params = {
    before: formatMoney(amount(failure, "expectedMinor"), currency),
    now: formatMoney(actualMinor, currency),
  };
  return agreed(actualMinor, {
    title: t("stay.priceChangedTitle"),
    description: t("stay.priceChangedText", params),
    confirmLabel: t("stay.acceptPrice", params),
  });
}

export function askUnpaid(failure: Failure, currency: string): Promise<{ confirmUnpaid: true } | null> {
  const params = { amount: formatMoney(amount(failure, "amountMinor"), currency) };
  return agreed(
    { confirmUnpaid: true },
    {
      title: t("stay.unpaidTitle", params),
      description: t("stay.unpaidText"),
      confirmLabel: t("stay.checkOutUnpaid"),
      tone: "danger",
    },
  );
}
