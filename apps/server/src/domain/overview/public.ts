// What other domains may use of this one; they import nothing else from it.
export { customerListQuery } from "./customers.queries.ts";
export { historyQuery } from "./stays.queries.ts";
