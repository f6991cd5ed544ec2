import type { Scope } from "../../core/scope.ts";
import type { SealContext } from "../../core/secret-box.ts";

const placeOf = ({ hotelId }: Scope, row: string): SealContext => ({ column: "lock_command.args_box", hotelId, row });

/** What a lock is to be told: it may hold codes and keys, and is kept sealed until the command ends. */
export function sealArgs(scope: Scope, commandId: string, args: unknown): Buffer<ArrayBuffer> {
  return scope.secrets.code.seal(JSON.stringify(args), placeOf(scope, commandId));
}

/** A command's arguments; null once it has ended, or where no key opens them. */
export function openArgs(scope: Scope, { id, argsBox }: { id: string; argsBox: Uint8Array | null }): unknown {
  const opened = argsBox && scope.secrets.code.open(argsBox, placeOf(scope, id));
  return opened === null ? null : JSON.parse(opened);
}
