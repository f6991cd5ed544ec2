import type { authStatus, captcha, LoginOutput, loginInput } from "@innkey/shared/schemas/identity/auth";
import type { z } from "zod";
import { failureOf } from "../api-error.ts";
import { RestError, send } from "../rest.ts";
import { report } from "./session-end.ts";

type Answer<Data> = { result: { data: Data } } | { error: { data?: { innkey?: RestError["failure"] } } };

async function answered<Data>(response: Response): Promise<Data> {
  const answers = (await response.json().catch(() => [])) as Answer<Data>[];
  const [answer] = answers;
  if (answer && "result" in answer) return answer.result.data;
  throw new RestError(answer?.error.data?.innkey ?? { code: "internal" });
}

/** Calls a procedure of `auth`. The caller shows its errors. */
export async function act<Data>(name: string, input: object): Promise<Data> {
  const headers = { "content-type": "application/json" };
  try {
    const request = { method: "POST", headers, body: JSON.stringify({ 0: input }) };
    return await answered<Data>(await send(`/api/trpc/auth.${name}?batch=1`, request));
  } catch (error) {
    report(failureOf(error), "form");
    throw error;
  }
}

/**
 * The three procedures for visitors without a session. They work without the tRPC client, which is loaded with the
 * pages behind the login.
 */
export const entrance = {
  status: async () => answered<z.infer<typeof authStatus>>(await send("/api/trpc/auth.status?batch=1&input=%7B%7D")),
  login: (input: z.input<typeof loginInput>) => act<LoginOutput>("login", input),
  captcha: () => act<z.infer<typeof captcha>>("captcha", {}),
};
