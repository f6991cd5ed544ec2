import type { LegacyAnswer } from "../../src/doors/manage/answers.ts";
import type { Endpoint } from "../../src/doors/manage/endpoint.ts";
import { endpoints } from "../../src/doors/manage/registry.ts";
import type { ManageClient } from "./manage-client.ts";

/** @throws Error for a call that is not there */
export function endpointAt(path: string): Endpoint {
  const found = endpoints.find((endpoint) => endpoint.path === `/manage/${path}`);
  if (!found) throw new Error(`no call ${path}`);
  return found;
}

/**
 * What a call that succeeds answers, held against the answer that its endpoint promises: no field missing, none more.
 * @throws Error for a failed call or a broken promise
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

/** The errno and data of a call that is refused. @throws Error if it succeeds */
export async function refusalOf(
  client: ManageClient,
  path: string,
  payload: Record<string, unknown> = {},
): Promise<LegacyAnswer & { data: { reason?: string; fields?: Record<string, string> } }> {
  const answer = await client.call(path, payload);
  if (answer.errno === 0) throw new Error(`${path} was expected to be refused: ${JSON.stringify(answer)}`);
  return answer;
}
