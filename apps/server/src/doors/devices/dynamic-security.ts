import { createHash } from "node:crypto";
import { lockTopics } from "@innkey/shared/locks/protocol";
import { z } from "zod";
import type { DeviceAccount, DeviceUser } from "../../modules/locks/reports.ts";

/**
 * The commands of Mosquitto's dynamic security plugin, as far as they are needed here. Source: README.md of
 * plugins/dynamic-security in Eclipse Mosquitto.
 */
export const CONTROL = "$CONTROL/dynamic-security/v1";
export const CONTROL_ANSWER = `${CONTROL}/response`;

interface Acl {
  acltype: "publishClientSend" | "subscribeLiteral" | "subscribePattern";
  topic: string;
  allow: true;
}

export type ControlCommand = { command: string } & Record<string, unknown>;

export const controlAnswer = z.object({
  responses: z.array(
    z.object({
      command: z.string().default(""),
      error: z.string().optional(),
      correlationData: z.string().optional(),
      data: z.unknown().optional(),
    }),
  ),
});

/** What `listClients` answers; `textname` is where we note what an account was made from. */
export const clientList = z.object({
  clients: z.array(z.object({ username: z.string(), textname: z.string().default("") })),
});

/** What the broker inside allows (`broker-rights.ts`), in the plugin's words. */
export function aclsOf(who: DeviceUser): Acl[] {
  const speaks = (topic: string): Acl => ({ acltype: "publishClientSend", topic, allow: true });
  const hears = (topic: string): Acl => ({ acltype: "subscribeLiteral", topic, allow: true });
  const hearsBelow = (topic: string): Acl => ({ acltype: "subscribePattern", topic, allow: true });
  if (who.kind === "lock") {
    const root = lockTopics.root(who.hotelId, who.mac);
    return [
      ...["ack", "event", "status"].map((part) => speaks(`${root}/${part}`)),
      ...["command", "event/ack"].map((part) => hears(`${root}/${part}`)),
    ];
  }
  if (who.link === "zigbee2mqtt") return [speaks(`${who.base}/#`), hearsBelow(`${who.base}/#`)];
  return [
    ...[`${who.base}/status`, `lockd/${who.hotelId}/+/ha/set`].map(speaks),
    ...[`${who.base}/#`, `lockd/${who.hotelId}/+/status`, `lockd/${who.hotelId}/+/ha/state`].map(hearsBelow),
  ];
}

/** Changes with whatever an account consists of. */
export const markOf = ({ password, who }: DeviceAccount): string =>
  createHash("sha256")
    .update(JSON.stringify([password, aclsOf(who)]))
    .digest("base64url");

/** Is one of the users that we make, and not one that somebody made at the broker. */
export const isOurs = (user: string): boolean =>
  /^(\d{1,9}\/[0-9A-F]{12}|(zigbee2mqtt|home-assistant)-\d{1,9})$/.test(user);

/** Ends what is connected as this user too. */
export const removal = (user: string): ControlCommand[] => [
  { command: "deleteClient", username: user },
  { command: "deleteRole", rolename: user },
];

export const creation = (account: DeviceAccount): ControlCommand[] => [
  { command: "createRole", rolename: account.user, acls: aclsOf(account.who) },
  {
    command: "createClient",
    username: account.user,
    password: account.password,
    textname: markOf(account),
    roles: [{ rolename: account.user }],
  },
];
