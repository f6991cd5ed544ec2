import { queryClient } from "../query-client.ts";

/** As long as the eye needs to find the place. */
const MARK_MILLISECONDS = 1_800;
/** What this tab changes comes back as an event within this time. The person knows of it and needs no mark. */
const OWN_MILLISECONDS = 3_000;

/** Whether this tab has just changed something itself, or is about to. */
function isOwnChange(): boolean {
  const since = Date.now() - OWN_MILLISECONDS;
  return queryClient
    .getMutationCache()
    .getAll()
    .some(({ state }) => state.status === "pending" || state.submittedAt > since);
}

/**
 * Marks for a moment what another desk or a door has changed, wherever these rooms are drawn: on a card, in a row of a
 * table or of the timeline. A page that shows none of them does nothing.
 */
export function markChangedRooms(roomIds: readonly number[]): void {
  if (roomIds.length === 0 || isOwnChange()) return;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  // The page draws the change first.
  requestAnimationFrame(() => requestAnimationFrame(() => roomIds.forEach(markRoom)));
}

function markRoom(roomId: number): void {
  for (const part of document.querySelectorAll(`main [data-room="${roomId}"]`)) {
    const place = part.closest("li, tr, [role=row]") ?? part;
    place.animate(
      [
        { outline: "2px solid var(--brass)", outlineOffset: "-2px", backgroundColor: "var(--brass-soft)" },
        { outline: "2px solid transparent", outlineOffset: "-2px" },
      ],
      { duration: MARK_MILLISECONDS, easing: "ease-in" },
    );
  }
}
