import { join } from "node:path";
import { parseArgs } from "node:util";
import { account as accountField } from "@innkey/shared/schemas/fields";
import { setRunsInstallation } from "../domain/identity/login/accounts.ts";
import { runCommand } from "./lib/command.ts";

const USAGE = `Names an owner who sees how the installation itself is, where it serves several hotels.
  --account <account>  phone number or e-mail address they log in with
  --off                they see it no more`;

await runCommand(join(import.meta.dirname, "../../../.."), async ({ database }) => {
  const { values } = parseArgs({ options: { account: { type: "string" }, off: { type: "boolean" } } });
  const account = accountField.safeParse(values.account);
  if (!account.success) {
    console.error(USAGE);
    return 2;
  }
  if (!(await setRunsInstallation(database, account.data, values.off !== true))) {
    console.error("Nobody has this account.");
    return 1;
  }
  console.log(`${account.data} ${values.off ? "no longer sees" : "sees, as an owner,"} how the installation is.`);
  return 0;
});
