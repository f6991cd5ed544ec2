import { useCallback, useMemo, useState } from "react";

/** The rooms being chosen for one act on all of them; null while none is being chosen. */
export function useRoomChoice() {
  const [chosen, setChosen] = useState<ReadonlySet<number> | null>(null);
  const begin = useCallback(() => setChosen(new Set()), []);
  const end = useCallback(() => setChosen(null), []);
  const set = useCallback((roomIds: readonly number[]) => setChosen(new Set(roomIds)), []);
  const toggle = useCallback((roomId: number) => {
    setChosen((old) => {
      const next = new Set(old);
      if (!next.delete(roomId)) next.add(roomId);
      return next;
    });
  }, []);
  return useMemo(() => ({ chosen, begin, end, set, toggle }), [chosen, begin, end, set, toggle]);
}
