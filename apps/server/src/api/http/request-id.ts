import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

const WELL_FORMED = /^[A-Za-z0-9_-]{8,64}$/;

/**
 * Returns the function that gives each request its id for answers, log and audit. We accept an id only from a trusted
 * proxy, because duplicate ids could not be told apart in the audit.
 */
export function requestIds(trustProxy: boolean): (request: IncomingMessage) => string {
  return ({ headers }) => {
    const incoming = trustProxy ? headers["x-request-id"] : undefined;
    return typeof incoming === "string" && WELL_FORMED.test(incoming) ? incoming : randomUUID();
  };
}
