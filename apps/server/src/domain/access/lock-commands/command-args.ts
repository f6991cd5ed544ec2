import type { Scope } from "../../../kernel/scope.ts";
import type { SealContext } from "../../../kernel/secret-box.ts";

const contextOf = ({ hotelId }: Scope, row: string): SealContext => ({ column: "lock_command.args_box", hotelId, row });

/** Seals the arguments of a command, which may contain codes and keys. They stay sealed until the command ends. */
export function sealArgs(scope: Scope, commandId: string, args: unknown): Buffer<ArrayBuffer> {
  return scope.secrets.code.seal(JSON.stringify(args), contextOf(scope, commandId));
}

/** Returns a command's arguments, or null if the command has ended or no key opens them. */
export function openArgs(scope: Scope, { id, argsBox }: { id: string; argsBox: Uint8Array | null }): unknown {
  const opened = argsBox && scope.secrets.code.open(argsBox, contextOf(scope, id));
  return opened === null ? null : JSON.parse(opened);
}
