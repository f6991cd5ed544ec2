import { queryClient } from "./query-client.ts";

/** An act at the desk moves rooms, guests, orders and the journal alike: what is on screen is asked for again. */
export function refreshEverything(): void {
  void queryClient.invalidateQueries();
}
