// What other domains may use of this one; they import nothing else of it.
export { customerListQuery } from "./customers.queries.ts";
export { historyQuery } from "./stay-history.queries.ts";
