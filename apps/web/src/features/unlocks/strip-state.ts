import { useCallback, useState } from "react";

const KEY = "door-strip";

/** Whether the board's strip of door activity is folded; kept in this browser. */
export function useStripFolded(): [boolean, (folded: boolean) => void] {
  const [folded, setFolded] = useState(() => {
    try {
      return localStorage.getItem(KEY) === "folded";
    } catch {
      return false;
    }
  });
  const change = useCallback((next: boolean) => {
    setFolded(next);
    try {
      localStorage.setItem(KEY, next ? "folded" : "open");
    } catch {
      // Without storage it is open again on the next visit.
    }
  }, []);
  return [folded, change];
}
