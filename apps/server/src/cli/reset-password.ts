import { join } from "node:path";
import { parseArgs } from "node:util";
import { DomainError } from "@innkey/shared/errors";
import { account as accountField } from "@innkey/shared/schemas/fields";
import { resetPasswordOfAccount } from "../domain/identity/login/own-account.ts";
import { createPasswordHasher } from "../domain/identity/login/passwords.ts";
import { readPassword, reasonOf, runCommand } from "./lib/command.ts";

const USAGE = `Gives somebody who forgot it a new password, which they change at their next login; it is read from standard input.
  --account <account>  phone number or e-mail address they log in with`;

await runCommand(join(import.meta.dirname, "../../../.."), async ({ database, openScope }) => {
  const { values } = parseArgs({ options: { account: { type: "string" } } });
  const account = accountField.safeParse(values.account);
  if (!account.success) {
    console.error(USAGE);
    return 2;
  }
  try {
    const password = await readPassword();
    await resetPasswordOfAccount({ database, hasher: createPasswordHasher(), openScope }, account.data, password);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    console.error(error.code === "not_found" ? "Nobody has this account." : reasonOf(error));
    return 1;
  }
  console.log(`${account.data} logs in with the new password and chooses another then. All their sessions have ended.`);
  return 0;
});
