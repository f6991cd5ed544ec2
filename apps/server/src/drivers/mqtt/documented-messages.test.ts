import { readFileSync } from "node:fs";
import {
  ackMessage,
  commandMessage,
  eventAck,
  eventMessage,
  lockArgs,
  statusMessage,
} from "@innkey/shared/locks/protocol";
import { expect, it } from "vitest";

const text = readFileSync(new URL("../../../../../docs/integrators/locks.md", import.meta.url), "utf8");
const schemas = { status: statusMessage, command: commandMessage, ack: ackMessage, event: eventMessage, eventAck };
const examples = [...text.matchAll(/```json (\w+)\n([\s\S]*?)```/g)].map(([, kind = "", body = ""]) => ({
  kind,
  body,
}));

it("contain an example of each message, and only ones that the server accepts", () => {
  for (const [kind, schema] of Object.entries(schemas)) {
    const ofOneKind = examples.filter((example) => example.kind === kind);
    expect(ofOneKind.length, kind).toBeGreaterThan(0);
    for (const { body } of ofOneKind) expect(schema.safeParse(JSON.parse(body)).error, body).toBeUndefined();
  }
});

it("name every command, and show one with valid arguments", () => {
  for (const type of Object.keys(lockArgs)) expect(text).toContain(`| \`${type}\``);
  const command = commandMessage.parse(JSON.parse(examples.find(({ kind }) => kind === "command")?.body ?? ""));
  expect(lockArgs[command.type].safeParse(command.args).error).toBeUndefined();
});
