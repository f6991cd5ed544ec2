import { AUDIT_ROWS } from "../../../compliance/public.ts";
import type { ExportList } from "../columns.ts";

interface Row {
  seq: string;
  /** PLAIN_TYPES: a time as ISO text */
  at: string;
  actorName: string;
  address: string;
  action: string;
  entity: string;
  entityId: string;
  before: unknown;
  after: unknown;
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

export const auditList: ExportList<"audit", Row> = {
  query: () => ({ text: AUDIT_ROWS, values: [null, null] }),
  columns: {
    at: ({ at }) => at,
    actor: ({ actorName }, { t }) => actorName || t("audit.nobody"),
    action: ({ action }, { t }) => {
      const key = `audit.action.${action}`;
      const words = t(key);
      return words === key ? action : words;
    },
    entity: ({ entity, entityId }) => `${entity} #${entityId}`,
    before: ({ before }) => json(before),
    after: ({ after }) => json(after),
    address: ({ address }) => address,
    seq: ({ seq }) => seq,
  },
};
