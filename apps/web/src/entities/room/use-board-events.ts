import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { checkConnection, onConnectionRestored } from "@/lib/loading/connection.ts";
import { useCan } from "@/lib/session.ts";
import type { Connection } from "@/ui/live-mark.tsx";
import { boardReader } from "./board-query.ts";

const FIRST_RETRY_MILLISECONDS = 1000;
const MAX_RETRY_MILLISECONDS = 30_000;

/** Follows what other desks do: reads the board again when it changed, and after every reconnection; `alsoRead` is stable. Who may not see rooms is told nothing. */
export function useBoardEvents(alsoRead?: () => void): Connection {
  const client = useQueryClient();
  const sees = useCan()("rooms.view");
  const [connection, setConnection] = useState<Connection>("connecting");

  useEffect(() => {
    if (!sees) return;
    const readBoard = boardReader(client);
    const read = (): void => {
      readBoard();
      alsoRead?.();
    };
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;

    function connect(): void {
      clearTimeout(timer);
      source?.close();
      source = new EventSource("/api/board/events");
      source.addEventListener("open", () => {
        failures = 0;
        setConnection("live");
        read();
      });
      source.addEventListener("board", read);
      source.addEventListener("error", retry);
    }

    function retry(): void {
      source?.close();
      setConnection("reconnecting");
      void checkConnection();
      const pause = Math.min(FIRST_RETRY_MILLISECONDS * 2 ** failures, MAX_RETRY_MILLISECONDS);
      failures += 1;
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          read();
          connect();
        },
        pause * (0.75 + Math.random() / 2),
      );
    }

    function wake(): void {
      if (document.visibilityState === "visible" && source?.readyState === EventSource.CLOSED) connect();
    }

    connect();
    const stopWaiting = onConnectionRestored(connect);
    window.addEventListener("online", wake);
    document.addEventListener("visibilitychange", wake);
    return () => {
      stopWaiting();
      clearTimeout(timer);
      source?.close();
      window.removeEventListener("online", wake);
      document.removeEventListener("visibilitychange", wake);
    };
  }, [client, alsoRead, sees]);

  return connection;
}
