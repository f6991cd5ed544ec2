export const EXPORT_FORMATS = ["csv", "xlsx"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
export const EXPORT_STATES = ["queued", "running", "done", "failed", "cancelled"] as const;

/** Exports of up to this many rows are returned directly; larger ones are written in the background. */
export const ROWS_AT_ONCE = 5000;
/** Limit of unfinished export files per operator. */
export const MAX_UNFINISHED = 3;
export const EXPORT_RETENTION_HOURS = 24;

const UNWRITABLE = /[\p{Cc}\p{Cf}\p{Cs}\\/:*?"<>|]+/gu;
/** Device names that Windows reserves, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const MAX_NAME = 100;

/**
 * Returns a file name that is valid on every file system, with the format's extension; `fallback` if no character is
 * left.
 */
export function exportFileName(name: string, format: ExportFormat, fallback: string): string {
  const plain = (text: string): string => {
    const clean = text
      .replace(/\.(csv|xlsx)$/i, "")
      .replace(UNWRITABLE, " ")
      .replace(/\s+/g, " ");
    const cut = [...clean.trim()].slice(0, MAX_NAME).join("");
    return cut.replace(/^[.\s]+|[.\s]+$/g, "");
  };
  const stem = plain(name) || plain(fallback) || "export";
  return `${RESERVED.test(stem) ? "_" : ""}${stem}.${format}`;
}
