import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

const WELL_FORMED = /^[A-Za-z0-9_-]{8,64}$/;

/**
 * What a request is called in answers, in the log and in the journal: a name of ours, or the one that the trusted proxy in
 * front gave it. Nobody else names requests, since two of one name could not be told apart in the journal.
 */
export function requestIds(trustProxy: boolean): (request: IncomingMessage) => string {
  return ({ headers }) => {
    const incoming = trustProxy ? headers["x-request-id"] : undefined;
    return typeof incoming === "string" && WELL_FORMED.test(incoming) ? incoming : randomUUID();
  };
}
