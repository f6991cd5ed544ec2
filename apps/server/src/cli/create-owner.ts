import { join } from "node:path";
import { stdin } from "node:process";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { DomainError } from "@innkey/shared/errors";
import { fieldMessages } from "@innkey/shared/field-messages";
import { account as accountField, newPassword } from "@innkey/shared/schemas/fields";
import { translator } from "../core/translate.ts";
import { createPasswordHasher } from "../modules/auth/password-hasher.ts";
import { addOwner } from "../modules/staff/owner.ts";
import { runCommand } from "./lib/command.ts";

const USAGE = `Adds an owner to a hotel; the password is read from standard input.
  --hotel <number>     the hotel's number; may be left out while there is only one
  --account <account>  phone number or e-mail address to log in with
  --name <name>`;

async function readPassword(): Promise<string> {
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

function reasonOf({ code, fields = {} }: DomainError): string {
  if (code === "account_taken") return "Someone already has this account.";
  const say = translator("en");
  const reasons = Object.values(fields).map(({ key, params }) => say(key, params));
  return reasons.join("\n") || code;
}

await runCommand(join(import.meta.dirname, "../../../.."), async ({ database, openScope }) => {
  const { values } = parseArgs({
    options: { hotel: { type: "string" }, account: { type: "string" }, name: { type: "string" } },
  });
  const account = accountField.safeParse(values.account);
  if (!account.success || !values.name) {
    console.error(USAGE);
    return 2;
  }
  const hotels = await database.prisma.hotel.findMany({ select: { id: true, name: true }, orderBy: { id: "asc" } });
  const hotel = hotels.find(({ id }) =>
    values.hotel === undefined ? hotels.length === 1 : id === Number(values.hotel),
  );
  if (!hotel) {
    console.error(hotels.map(({ id, name }) => `  --hotel ${id}  ${name}`).join("\n") || "There is no hotel yet.");
    return 2;
  }
  try {
    const owner = { account: account.data, name: values.name, password: await readPassword() };
    await addOwner({ database, hasher: createPasswordHasher(), openScope }, hotel.id, owner);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    console.error(reasonOf(error));
    return 1;
  }
  console.log(`${account.data} is an owner of ${hotel.name}.`);
  return 0;
});
