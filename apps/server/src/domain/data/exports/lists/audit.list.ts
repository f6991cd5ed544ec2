import { AUDIT_ROWS } from "../../../compliance/public.ts";
import { type ExportList, number, text, time } from "../columns.ts";

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
    at: time(({ at }) => at),
    actor: text(({ actorName }, { t }) => actorName || t("audit.nobody")),
    action: text(({ action }, { t }) => {
      const key = `audit.action.${action}`;
      const words = t(key);
      return words === key ? action : words;
    }),
    entity: text(({ entity, entityId }) => `${entity} #${entityId}`),
    before: text(({ before }) => json(before)),
    after: text(({ after }) => json(after)),
    address: text(({ address }) => address),
    seq: number(({ seq }) => seq),
  },
};
