/** How a hotel writes times of day: as the reader's language does, or with twelve or twenty-four hours. */
export const HOUR_FORMATS = ["language", "h12", "h24"] as const;
export type HourFormat = (typeof HOUR_FORMATS)[number];

const EXTENSIONS: Record<HourFormat, string> = { language: "", h12: "-u-hc-h12", h24: "-u-hc-h23" };

/** Returns the locale tag with which `Intl` writes times of day in a language as the hotel wants them. */
export const timeTag = (tag: string, hourFormat: HourFormat): string => `${tag}${EXTENSIONS[hourFormat]}`;
