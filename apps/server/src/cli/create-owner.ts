import { join } from "node:path";
import { parseArgs } from "node:util";
import { DomainError } from "@innkey/shared/errors";
import { account as accountField } from "@innkey/shared/schemas/fields";
import { createPasswordHasher } from "../domain/identity/login/passwords.ts";
import { addOwner } from "../domain/identity/staff/members.ts";
import { readPassword, reasonOf, runCommand } from "./lib/command.ts";

const USAGE = `Adds an owner to a hotel; the password is read from standard input.
  --hotel <number>     the hotel's number; may be left out while there is only one
  --account <account>  phone number or e-mail address to log in with
  --name <name>`;

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
    console.error(error.code === "account_taken" ? "Someone already has this account." : reasonOf(error));
    return 1;
  }
  console.log(`${account.data} is an owner of ${hotel.name}.`);
  return 0;
});
