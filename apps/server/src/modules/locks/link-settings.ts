import { z } from "zod";
import type { SealContext, SecretBox } from "../../core/secret-box.ts";

/** What is kept, sealed, of a hotel's account with something that stands between the console and its locks. */
const linkSettings = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("zigbee2mqtt"), baseTopic: z.string() }),
  z.object({ kind: z.literal("home_assistant"), prefix: z.string() }),
  z.object({
    kind: z.literal("ttlock"),
    baseUrl: z.string(),
    clientId: z.string(),
    clientSecret: z.string(),
    account: z.string(),
    /** lower-case hex, which is all that the cloud ever asks for */
    passwordMd5: z.string(),
    /** names the hotel in the address to which the cloud reports records */
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

const placeOf = ({ hotelId, kind }: Pick<SealedSettings, "hotelId" | "kind">): SealContext => ({
  column: "device_link.settings_box",
  hotelId,
  row: kind,
});

export const sealSettings = (box: SecretBox, hotelId: number, settings: LinkSettings): Buffer<ArrayBuffer> =>
  box.seal(JSON.stringify(settings), placeOf({ hotelId, kind: settings.kind }));

/** Null if the box can't be opened with today's key, is another link's or holds something else. */
export function openSettings(box: SecretBox, sealed: SealedSettings): LinkSettings | null {
  const text = box.open(sealed.box, placeOf(sealed));
  return text === null ? null : (linkSettings.safeParse(JSON.parse(text)).data ?? null);
}

/** The topic below which a link lives on the broker, or null for one that doesn't use it. */
export function baseOf(settings: LinkSettings): string | null {
  if (settings.kind === "ttlock") return null;
  return settings.kind === "zigbee2mqtt" ? settings.baseTopic : settings.prefix;
}

/** The first level of the locks' own topics, see packages/shared/src/locks/protocol.ts. */
const OWN_ROOT = "lockd";

/** A base that a link may have at all: whole levels, not the locks' own, not the broker's. */
export const isUsableBase = (base: string): boolean =>
  !base.startsWith("$") && base.split("/")[0] !== OWN_ROOT && !base.split("/").includes("");

/** Whether one base lies within the other: their users could read each other's topics. */
export const basesOverlap = (one: string, other: string): boolean =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
