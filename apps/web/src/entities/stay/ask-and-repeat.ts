import type { ErrorCode } from "@innkey/shared/errors";
import { failureOf } from "@/lib/api-error.ts";
import type { Failure } from "@/lib/rest.ts";

/** For a refusal that the clerk may overrule: asks, and answers with what to send differently; null when they'd rather not. */
export type Questions<Input> = Partial<Record<ErrorCode, (failure: Failure) => Promise<Partial<Input> | null>>>;

/** Sends, and sends again with the clerk's answers. Null when a question was declined; other failures are thrown. */
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
