import type { DeviceLinkRow } from "@innkey/shared/schemas/locks";

/** Names of products: the same in every language. */
export const LINK_NAMES: Record<DeviceLinkRow["kind"], string> = {
  zigbee2mqtt: "Zigbee2MQTT",
  ttlock: "TTLock",
  home_assistant: "Home Assistant",
};
