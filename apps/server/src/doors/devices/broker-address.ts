import type { DeviceLinks } from "../../modules/locks/device-links.ts";
import { reachableHost } from "./reachable-host.ts";

export interface BrokerLocation {
  /** a broker of the operator's own; without one we are the broker */
  mqttUrl: string | undefined;
  /** what locks are told to connect to, where it is not what we listen on */
  publicUrl: string | undefined;
  broker: { host: string; port: number };
  /** where it is encrypted, and who vouches for it; null or left out: nowhere */
  tls?: { port: number; authority: string } | null;
  /** the operator's broker is a Mosquitto whose users we make (its dynamic security plugin) */
  dynamicSecurity: boolean;
}

export interface Tellers {
  locks: { brokerUrl: string; encryptedBroker: EncryptedBroker | null };
  links: Pick<DeviceLinks, "load" | "brokerUrl" | "ownBroker">;
}

/** The broker inside, as those are told it who speak encrypted. */
export interface EncryptedBroker {
  url: string;
  /** the certificate that they have to trust, in PEM */
  authority: string;
}

function encryptedBroker({ publicUrl, broker, tls }: BrokerLocation): EncryptedBroker | null {
  if (!tls) return null;
  const { authority, port } = tls;
  if (publicUrl?.startsWith("mqtts:")) return { url: publicUrl, authority };
  const host = publicUrl === undefined ? reachableHost(broker.host) : new URL(publicUrl).hostname;
  return { url: `mqtts://${host}:${port}`, authority };
}

/** What people type into locks and gateways. */
export function brokerAddress({ mqttUrl, publicUrl, broker }: BrokerLocation): string {
  if (publicUrl !== undefined) return publicUrl;
  if (mqttUrl === undefined) return `mqtt://${reachableHost(broker.host)}:${broker.port}`;
  const { protocol, host } = new URL(mqttUrl);
  return `${protocol}//${host}`;
}

/** Says where the broker is, as far as a process must know that tells people but speaks with no lock itself. */
export async function sendBrokerAddress({ locks, links }: Tellers, place: BrokerLocation): Promise<void> {
  await links.load();
  const url = brokerAddress(place);
  locks.brokerUrl = url;
  locks.encryptedBroker = encryptedBroker(place);
  links.brokerUrl = url;
  links.ownBroker = place.mqttUrl === undefined || place.dynamicSecurity;
}
