import type { PasscodeRow } from "@innkey/shared/schemas/passcodes";
import { passcodeListQuery } from "../../../access/public.ts";
import { type ExportList, text, time } from "../columns.ts";
import { keyState } from "./key-state.ts";

/** People who have door codes; the codes are never exported. */
export const passcodesList: ExportList<"passcodes", PasscodeRow> = {
  query: (scope, filters) => passcodeListQuery(scope, filters),
  columns: {
    person: text(({ person }) => person),
    type: text(({ type }, { t }) => t(`locks.passcodeType.${type}`)),
    rooms: text(({ roomNames }) => roomNames),
    validFrom: time(({ validFrom }) => validFrom),
    validTo: time(({ validTo }) => validTo),
    state: text(({ credentials }, reader) => keyState(credentials, reader)),
    issued: time(({ createdAt }) => createdAt),
    operator: text(({ operatorName }) => operatorName),
    note: text(({ note }) => note),
  },
};
