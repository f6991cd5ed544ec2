import { useEffect, useState } from "react";
import { useDeskReader } from "@/entities/reader/desk-reader.ts";
import type { Connection } from "@/entities/reader/desk-setting.ts";
import { type LoopbackPermission, loopbackPermission, surroundings } from "@/readers/loopback-permission.ts";

/** Whether the browser lets this page speak to the reader; asked again whenever something was tried. */
export function usePermission(): LoopbackPermission | undefined {
  const { connection } = useDeskReader();
  const [permission, setPermission] = useState<LoopbackPermission>();
  useEffect(() => {
    const requested: Connection = connection;
    let current = true;
    if (requested !== "trying")
      void loopbackPermission(surroundings()).then((found) => {
        if (current) setPermission(found);
      });
    return () => {
      current = false;
    };
  }, [connection]);
  return permission;
}
