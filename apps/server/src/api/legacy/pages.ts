import { pageAnswer } from "./fields.ts";

/** Returns the requested page of a complete list. */
export function pageOfAll<T>(all: readonly T[], input: { page: number; page_size: number }) {
  const { page, page_size: size } = input;
  return pageAnswer(all.slice((page - 1) * size, page * size), all.length, input);
}
