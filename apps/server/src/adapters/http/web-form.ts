import { type OutsideOptions, postOutside } from "./outside-request.ts";

const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const HEADERS = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };

/**
 * POSTs a form and reads JSON; follows no redirect.
 * @throws Error that quotes neither the form nor the answer
 */
export async function postForm(url: URL, form: Record<string, string>, options: OutsideOptions): Promise<unknown> {
  const body = new URLSearchParams(form).toString();
  const response = await postOutside(url, { headers: HEADERS, body }, options);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new Error("the answer is no JSON");
  }
}
