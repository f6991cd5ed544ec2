import type { ExportRow } from "@innkey/shared/schemas/exports";

export const isUnfinished = ({ state }: Pick<ExportRow, "state">): boolean => state === "queued" || state === "running";
