/** The browser's caches in which the console keeps what it shows without the server. */
export const FILE_CACHE = "innkey-files";
export const BOARD_CACHE = "innkey-board";

/** Where the kept page and the kept board are in these caches. The server has nothing at the second address. */
export const KEPT_PAGE_URL = "/room";
export const KEPT_BOARD_URL = "/kept-board";
