import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { z } from "zod";
import type { PageState } from "./columns.ts";

export const PAGE_SIZES = [20, 50, 100] as const;

/** The part of a list's URL every list has; extend it with the list's own filters: `listSearch.extend({ state: … })`. */
export const listSearch = z.object({
  page: z.int().min(1).max(100_000).optional().catch(undefined),
  size: z
    .literal([...PAGE_SIZES])
    .optional()
    .catch(undefined),
  sort: z.string().max(40).optional().catch(undefined),
  q: z.string().max(100).optional().catch(undefined),
});

type ListSearch = z.infer<typeof listSearch>;

/** List state as it stands in the URL, and how to change it. A new filter, sort or search goes back to page 1. */
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
    /** Spread into DataTable. */
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
