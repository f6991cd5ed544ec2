import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import * as z from "zod/mini";
import { anyText, oneOf, text, whole } from "@/lib/search-params.ts";
import type { PageState } from "./table-model.ts";

export const PAGE_SIZES = [20, 50, 100] as const;

/** Search parameters of every list, beside the filters of its own: `z.object({ ...listParams, state: … })`. */
export const listParams = {
  page: whole(1, 100_000),
  size: oneOf(PAGE_SIZES),
  sort: text(40),
  q: anyText(100),
};

export const listSearch = z.object(listParams);

type ListSearch = z.infer<typeof listSearch>;

/** List state in the URL, and functions to change it. A new filter, sorting or search goes back to page 1. */
export function useListState(defaultSort?: string) {
  const search = useSearch({ strict: false }) as ListSearch;
  const navigate = useNavigate();
  const change = useCallback(
    (patch: Record<string, unknown>) => {
      const next = "page" in patch ? patch : { ...patch, page: undefined };
      void navigate({ to: ".", search: ((old: object) => ({ ...old, ...next })) as never, replace: true });
    },
    [navigate],
  );
  const setQuery = useCallback((q: string) => change({ q: q || undefined }), [change]);
  const state = { page: search.page ?? 1, pageSize: search.size ?? PAGE_SIZES[0], sort: search.sort ?? defaultSort };
  return {
    ...state,
    query: search.q ?? "",
    setQuery,
    change,
    /** Props for DataTable, to be spread. */
    table: {
      state,
      onStateChange: (patch: Partial<PageState>) =>
        change({
          ...("page" in patch && { page: patch.page === 1 ? undefined : patch.page }),
          ...("pageSize" in patch && { size: patch.pageSize, page: undefined }),
          ...("sort" in patch && { sort: patch.sort, page: undefined }),
        }),
    },
  };
}
