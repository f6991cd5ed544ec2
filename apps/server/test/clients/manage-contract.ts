import type { LegacyAnswer } from "../../src/api/legacy/answers.ts";
import type { Endpoint } from "../../src/api/legacy/endpoint.ts";
import { endpoints } from "../../src/api/legacy/registry.ts";
import type { ManageClient } from "./manage-client.ts";

/** @throws Error if there is no such call */
export function endpointAt(path: string): Endpoint {
  const match = endpoints.find((endpoint) => endpoint.path === `/manage/${path}`);
  if (!match) throw new Error(`no call ${path}`);
  return match;
}

/**
 * Makes a call and checks that its answer has exactly the fields of the endpoint's output.
 * @throws Error if the call fails or the answer differs
 */
export async function answerOf<T = Record<string, unknown>>(
  client: ManageClient,
  path: string,
  payload: Record<string, unknown> = {},
): Promise<T> {
  const data = await client.ok(path, payload);
  const promised = endpointAt(path).output.safeParse(data);
  if (!promised.success)
    throw new Error(`${path} breaks its promise: ${promised.error.message}\n${JSON.stringify(data)}`);
  return data as T;
}

/** Returns the errno and data of a refused call. @throws Error if it succeeds */
export async function refusalOf(
  client: ManageClient,
  path: string,
  payload: Record<string, unknown> = {},
): Promise<LegacyAnswer & { data: { reason?: string; fields?: Record<string, string> } }> {
  const answer = await client.call(path, payload);
  if (answer.errno === 0) throw new Error(`${path} was expected to be refused: ${JSON.stringify(answer)}`);
  return answer;
}
