import { pageAnswer } from "./fields.ts";

/** The page asked for of a list that is there as a whole. */
export function pageOfAll<T>(all: readonly T[], input: { page: number; page_size: number }) {
  const { page, page_size: size } = input;
  return pageAnswer(all.slice((page - 1) * size, page * size), all.length, input);
}
