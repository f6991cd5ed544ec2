import { PASSCODE_FILTERS, PASSCODE_TYPES } from "@innkey/shared/words";
import * as z from "zod/mini";
import { oneOf, whole } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

export const passcodeSearch = z.object({
  ...listParams,
  tab: oneOf(PASSCODE_FILTERS),
  type: oneOf(PASSCODE_TYPES),
  room: whole(),
});
export type PasscodeSearch = z.infer<typeof passcodeSearch>;
