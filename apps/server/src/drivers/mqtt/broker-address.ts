import { networkInterfaces } from "node:os";
import type { DeviceLinks } from "../../domain/access/lock-links/device-links.ts";

/**
 * Returns the host name under which other machines reach a listener on `host`. For a wildcard address this is the
 * machine's first external IPv4 address.
 */
export function reachableHost(host: string): string {
  if (host !== "0.0.0.0" && host !== "::") return host.includes(":") ? `[${host}]` : host;
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal);
  return outside?.address ?? "localhost";
}

export interface BrokerLocation {
  /** URL of the operator's own broker; undefined if we run the embedded broker. */
  mqttUrl: string | undefined;
  /** Address that locks connect to, if it differs from the address we listen on. */
  publicUrl: string | undefined;
  broker: { host: string; port: number };
  /** TLS port of the embedded broker and the certificate of its authority (PEM); null or absent without TLS. */
  tls?: { port: number; authority: string } | null;
  /** Whether the operator's broker is a Mosquitto whose users we manage through its dynamic security plugin. */
  dynamicSecurity: boolean;
}

export interface BrokerAddressDeps {
  locks: { brokerUrl: string; encryptedBroker: EncryptedBroker | null };
  links: Pick<DeviceLinks, "load" | "brokerUrl" | "ownBroker">;
}

/** Address of the embedded broker for clients that connect with TLS. */
export interface EncryptedBroker {
  url: string;
  /** Certificate of the authority that clients must trust, PEM. */
  authority: string;
}

function encryptedBroker({ publicUrl, broker, tls }: BrokerLocation): EncryptedBroker | null {
  if (!tls) return null;
  const { authority, port } = tls;
  if (publicUrl?.startsWith("mqtts:")) return { url: publicUrl, authority };
  const host = publicUrl === undefined ? reachableHost(broker.host) : new URL(publicUrl).hostname;
  return { url: `mqtts://${host}:${port}`, authority };
}

/** Returns the broker URL that people enter in locks and gateways. */
export function brokerAddress({ mqttUrl, publicUrl, broker }: BrokerLocation): string {
  if (publicUrl !== undefined) return publicUrl;
  if (mqttUrl === undefined) return `mqtt://${reachableHost(broker.host)}:${broker.port}`;
  const { protocol, host } = new URL(mqttUrl);
  return `${protocol}//${host}`;
}

/** Loads the links and sets the broker's address. Processes that only display the address need no more than this. */
export async function setBrokerAddress({ locks, links }: BrokerAddressDeps, location: BrokerLocation): Promise<void> {
  await links.load();
  const url = brokerAddress(location);
  locks.brokerUrl = url;
  locks.encryptedBroker = encryptedBroker(location);
  links.brokerUrl = url;
  links.ownBroker = location.mqttUrl === undefined || location.dynamicSecurity;
}
