import { createHash } from "node:crypto";
import { lockTopics } from "@innkey/shared/locks/protocol";
import { z } from "zod";
import type { DeviceAccount, DeviceUser } from "../../domain/access/locks/reports.ts";

/**
 * Commands of Mosquitto's dynamic security plugin that we use. Source: README.md of plugins/dynamic-security in
 * Eclipse Mosquitto.
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

/** Data of the `listClients` answer. We store a hash of the account in `textname` (see `markOf`). */
export const clientList = z.object({
  clients: z.array(z.object({ username: z.string(), textname: z.string().default("") })),
});

/** Returns the plugin's access rules for a user, equal to the rules of the embedded broker (`broker-rights.ts`). */
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

/** Returns a hash of an account's password and rights, to detect changes. */
export const markOf = ({ password, who }: DeviceAccount): string =>
  createHash("sha256")
    .update(JSON.stringify([password, aclsOf(who)]))
    .digest("base64url");

/** Checks whether a user name has the form of our accounts, as opposed to users that the operator created. */
export const isOurs = (user: string): boolean =>
  /^(\d{1,9}\/[0-9A-F]{12}|(zigbee2mqtt|home-assistant)-\d{1,9})$/.test(user);

/** Commands that delete a user. The broker also ends the user's connections. */
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
