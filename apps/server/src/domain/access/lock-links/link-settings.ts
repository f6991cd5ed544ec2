import { z } from "zod";
import type { SealContext, SecretBox } from "../../../kernel/secret-box.ts";

/** Settings of a hotel's link to a system between the console and its locks. They are stored sealed. */
const linkSettings = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("zigbee2mqtt"), baseTopic: z.string() }),
  z.object({ kind: z.literal("home_assistant"), prefix: z.string() }),
  z.object({
    kind: z.literal("ttlock"),
    baseUrl: z.string(),
    clientId: z.string(),
    clientSecret: z.string(),
    account: z.string(),
    /** lower-case hex, the only form that the cloud requires */
    passwordMd5: z.string(),
    /** identifies the hotel in the address to which the cloud reports records */
    callbackSecret: z.string(),
  }),
]);
export type LinkSettings = z.infer<typeof linkSettings>;
export type LinkKind = LinkSettings["kind"];
export type SettingsOf<K extends LinkKind> = Extract<LinkSettings, { kind: K }>;

interface SealedSettings {
  hotelId: number;
  kind: LinkKind;
  box: Uint8Array;
}

const contextOf = ({ hotelId, kind }: Pick<SealedSettings, "hotelId" | "kind">): SealContext => ({
  column: "device_link.settings_box",
  hotelId,
  row: kind,
});

export const sealSettings = (box: SecretBox, hotelId: number, settings: LinkSettings): Buffer<ArrayBuffer> =>
  box.seal(JSON.stringify(settings), contextOf({ hotelId, kind: settings.kind }));

/**
 * Returns the settings, or null if the box can't be opened with the current key, belongs to another link or is invalid.
 */
export function openSettings(box: SecretBox, sealed: SealedSettings): LinkSettings | null {
  const text = box.open(sealed.box, contextOf(sealed));
  return text === null ? null : (linkSettings.safeParse(JSON.parse(text)).data ?? null);
}

/** Returns the topic below which a link lives on the broker, or null if it doesn't use the broker. */
export function baseOf(settings: LinkSettings): string | null {
  if (settings.kind === "ttlock") return null;
  return settings.kind === "zigbee2mqtt" ? settings.baseTopic : settings.prefix;
}

/** First level of the locks' own topics, see packages/shared/src/locks/protocol.ts. */
const OWN_ROOT = "lockd";

/** Checks whether a link may use a base topic: no empty levels, and neither the locks' nor the broker's own topics. */
export const isUsableBase = (base: string): boolean =>
  !base.startsWith("$") && base.split("/")[0] !== OWN_ROOT && !base.split("/").includes("");

/** Checks whether one base topic lies within the other. If so, their users could read each other's topics. */
export const basesOverlap = (one: string, other: string): boolean =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
