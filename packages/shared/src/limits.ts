/** Limits that schemas, entry points and the console share. This file imports nothing, like words.ts. */
export const MAX_GUESTS = 20;
/** Rooms that one call may name. */
export const MAX_ROOMS_PER_CALL = 500;
/** Rooms that one staff member may be granted, also in one call. */
export const MAX_GRANTED_ROOMS = 2000;
/** Doors that one key may open. */
export const MAX_DOORS_PER_KEY = 50;
/** Dates of a room that may have their own price instead of the usual or the weekend price. */
export const MAX_PRICE_DATES = 800;
/** Hand-over notes of a hotel that are not done; each list shows all of them. */
export const MAX_OPEN_NOTES = 200;
export const MAX_PAGE = 100_000;
export const MAX_PAGE_SIZE = 200;
export const MAX_UPLOAD_BYTES = 8 * 1024 * 1024;
