import { join } from "node:path";
import { parseArgs } from "node:util";
import { DomainError } from "@innkey/shared/errors";
import { account as accountField } from "@innkey/shared/schemas/fields";
import { resetTwoStepOfAccount } from "../domain/identity/staff/two-step.service.ts";
import { runCommand } from "./lib/command.ts";

const USAGE = `Takes the second factor from an operator who has lost it: the password alone logs them in until they set one up anew.
  --account <account>  phone number or e-mail address they log in with`;

await runCommand(join(import.meta.dirname, "../../../.."), async ({ database, openScope }) => {
  const { values } = parseArgs({ options: { account: { type: "string" } } });
  const account = accountField.safeParse(values.account);
  if (!account.success) {
    console.error(USAGE);
    return 2;
  }
  try {
    await resetTwoStepOfAccount(database, openScope, account.data);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    console.error(
      error.code === "not_found" ? "Nobody has this account." : `${account.data} logs in without a second factor.`,
    );
    return 1;
  }
  console.log(`${account.data} logs in with the password alone, until they set up a second factor anew.`);
  return 0;
});
