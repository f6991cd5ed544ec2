import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commonPasswords, requireUncommon, requireUnguessable, requireUnrelated } from "./weak-passwords.ts";

const at = (field: string, key: string) => ({
  code: "invalid_input",
  fields: { [field]: { key: `validation.${key}` } },
});

/** What is known of somebody, judged as at a door; null where the password may be theirs. */
function refusal(password: string, known: readonly (string | null)[]): unknown {
  try {
    requireUnrelated(password, known);
    return null;
  } catch (error) {
    return error;
  }
}

describe("the commonest passwords", () => {
  it("are known by the thousand, as long as one may be", async () => {
    const common = await commonPasswords();
    // Source: OWASP ASVS 5.0.0, 6.2.4: at least the 3000 commonest that the rules for length let through.
    expect(common.size).toBeGreaterThanOrEqual(3_000);
    expect([...common].filter((one) => one.length < 7 || one !== one.toLowerCase())).toEqual([]);
    for (const one of ["password", "password1", "12345678", "1234567890", "qwertyuiop", "football", "iloveyou"]) {
      expect(common, one).toContain(one);
    }
  });

  it.each(["password", "PASSWORD", "PassWord1", " iloveyou ", "ｐａｓｓｗｏｒｄ"])(
    "are refused: %s",
    async (password) => {
      await expect(requireUncommon(password)).rejects.toMatchObject(at("password", "passwordCommon"));
      await expect(requireUnguessable(password, [], "owner.password")).rejects.toMatchObject(
        at("owner.password", "passwordCommon"),
      );
    },
  );

  it("are never in what browsers load", () => {
    const workspace = join(import.meta.dirname, "../../../../..");
    for (const name of ["apps/web", "packages/shared"]) {
      expect(readFileSync(join(workspace, name, "package.json"), "utf8"), name).not.toContain("zxcvbn");
    }
  });
});

describe("what is known of somebody", () => {
  const known = ["Zoë van Dijk", "+4915112345678", "zoe.dijk@hotel-messing.example", "Hôtel Messing", null];

  it.each([
    "zoe van dijk",
    "ZoeDijk12",
    "dijk.zoe.1987",
    "vanDijk!!!",
    "+4915112345678",
    "015112345678",
    "2345678",
    "messing",
    "Messing2026",
    "H-o-t-e-l-Messing",
    "hotelmessing7",
    "zoe@messing",
    "Innkey1",
    "innkey-innkey-99",
    "smartlock",
    "Administrator01",
    "front desk 1",
    "messingreception",
  ])("is no password: %s", (password) => {
    expect(refusal(password, known)).toMatchObject(at("password", "passwordKnown"));
  });

  it.each([
    "correct horse",
    "messing around at sea",
    "the van is blue",
    "zoe likes brass bells",
    "49-rainy-151",
    "seven77",
    "a lock on a hill",
    "密码里没有名字",
  ])("may be in one beside more of one's own: %s", (password) => {
    expect(refusal(password, known)).toBeNull();
  });

  it("is told in every script", () => {
    for (const [password, name] of [
      ["王小明2026", "王小明"],
      ["王芳王芳王芳1", "王芳"],
      ["гостиница99", "Гостиница Заря"],
      ["فندق النجمة1", "فندق النجمة"],
      ["ホテル旅籠2026", "ホテル 旅籠"],
      ["호텔바다2026", "호텔 바다"],
    ] as const) {
      expect(refusal(password, [name]), password).toMatchObject(at("password", "passwordKnown"));
      expect(refusal(password, ["Messing"]), password).toBeNull();
    }
  });

  it("that is shorter than a word counts for nothing", () => {
    expect(refusal("alxbobx", ["Al", "Bo", "J."])).toBeNull();
  });
});
