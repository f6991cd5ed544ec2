import { ALERT_KINDS } from "@innkey/shared/words";
import * as z from "zod/mini";
import { oneOf } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

export const alertSearch = z.object({ ...listParams, state: oneOf(["all"]), kind: oneOf(ALERT_KINDS) });
export type AlertSearch = z.infer<typeof alertSearch>;
