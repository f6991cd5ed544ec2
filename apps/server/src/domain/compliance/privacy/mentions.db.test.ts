import { expect, it } from "vitest";
import { createTestWorld } from "../../../../test/harness/hotel.ts";
import { isFullName, mentionsOf, namePartsOf } from "./redaction.ts";

const nobody = { name: "", mobile: "", email: "", documentNumber: "" };

it("finds a person in every usual spelling, and nobody else", async () => {
  const world = await createTestWorld("2026-11-18T14:00:00.000Z");
  try {
    const redact = async (identity: Partial<typeof nobody>, text: string): Promise<string> => {
      const pattern = mentionsOf({ ...nobody, ...identity }, true);
      const { rows } = await world.database.pool.query<{ text: string }>(
        "SELECT regexp_replace($1, $2, '–', 'gi') AS text",
        [text, pattern],
      );
      return rows[0]?.text ?? "";
    };
    expect(await redact({ name: "Ann Lee" }, "ANN  LEE, Ann Leeds and Joann Lee")).toBe("–, Ann Leeds and Joann Lee");
    expect(await redact({ name: "王伟" }, "给王伟先生的")).toBe("给–先生的");
    expect(await redact({ name: "O'Neil (Jr.) *" }, "for O'Neil (Jr.) * only")).toBe("for – only");
    expect(await redact({ name: "Zoë" }, "zoë's key, ZOË")).toBe("–'s key, –");
    expect(await redact({ mobile: "+4930123456" }, "call +49 (30) 123-456 or 30123456")).toBe("call – or 30123456");
    expect(await redact({ documentNumber: "AB12345" }, "pass ab 123 45, not AB123456")).toBe("pass –, not AB123456");
    expect(await redact({ email: "a.b@c.de" }, "A.B@c.de, axb@c.de")).toBe("–, axb@c.de");
  } finally {
    await world.close();
  }
});

it("searches nothing when there is nothing to identify a person by", () => {
  expect(mentionsOf({ ...nobody, name: "A", mobile: "123" }, true)).toBeNull();
  expect(mentionsOf({ ...nobody, name: "Ann Lee" }, false)).toBeNull();
  expect(namePartsOf("Ann Lee", ["Bob Lee"])).toBe("(?<![[:alnum:]])Ann(?![[:alnum:]])");
  expect(namePartsOf("Al Lee", ["Bob lee"])).toBeNull();
  expect([isFullName("Ann"), isFullName("Ann Lee"), isFullName("王伟")]).toEqual([false, true, true]);
});
