import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { isIP } from "node:net";
import { addressesOf } from "./outside-address.ts";

export interface OutsideOptions {
  /** checks the address of the actual connection, so that a name can't resolve to another address after a check */
  mayReach(address: string): boolean;
  signal: AbortSignal;
}

/** The host has no address, or none that may be reached. */
export class NoAddress extends Error {
  override readonly name = "NoAddress";
  constructor(readonly found: boolean) {
    super("no address there that may be reached");
  }
}

/**
 * POSTs to a URL that a person configured and follows no redirect.
 * @throws NoAddress; Error that quotes nothing of the request
 */
export async function postOutside(
  url: URL,
  content: { headers: Record<string, string>; body: string },
  { mayReach, signal }: OutsideOptions,
): Promise<IncomingMessage> {
  const addresses = await addressesOf(url.hostname, signal);
  const address = addresses.find(mayReach);
  if (address === undefined) throw new NoAddress(addresses.length > 0);
  signal.throwIfAborted();
  const send = url.protocol === "https:" ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const request = send(
      {
        host: address,
        port: url.port || undefined,
        path: url.pathname + url.search,
        method: "POST",
        headers: { host: url.host, "content-length": Buffer.byteLength(content.body), ...content.headers },
        ...(!isIP(url.hostname) && { servername: url.hostname }),
        signal,
      },
      resolve,
    );
    request.on("error", reject);
    request.end(content.body);
  });
}
