import { stdin } from "node:process";
import { createInterface } from "node:readline/promises";
import { DomainError } from "@innkey/shared/errors";
import { fieldMessages } from "@innkey/shared/field-messages";
import { newPassword } from "@innkey/shared/schemas/fields";
import { translator } from "../../kernel/translate.ts";

/** Reads a password from one line of standard input. @throws invalid_input if the password isn't allowed */
export async function readPassword(): Promise<string> {
  if (stdin.isTTY) process.stdout.write("Password (more than 6 characters): ");
  const lines = createInterface({ input: stdin, terminal: false });
  for await (const line of lines) {
    lines.close();
    const password = newPassword.safeParse(line);
    if (!password.success) throw new DomainError("invalid_input", {}, fieldMessages(password.error.issues));
    return password.data;
  }
  throw new Error("no password");
}

/** Returns the reason of a refusal in English. */
export function reasonOf({ code, fields = {} }: DomainError): string {
  const say = translator("en");
  const reasons = Object.values(fields).map(({ key, params }) => say(key, params));
  return reasons.join("\n") || code;
}
