import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commonPasswords, requireUncommon, requireUnguessable, requireUnrelated } from "./passwords.ts";

const at = (field: string, key: string) => ({
  code: "invalid_input",
  fields: { [field]: { key: `validation.${key}` } },
});

/** Returns the error for a password, given the person's data; null if the password is accepted. */
function refusal(password: string, names: readonly (string | null)[]): unknown {
  try {
    requireUnrelated(password, names);
    return null;
  } catch (error) {
    return error;
  }
}

/** Returns the passwords that `requireUncommon` refuses. */
async function refusedPasswords(passwords: readonly string[]): Promise<string[]> {
  const judged = passwords.map((password) =>
    requireUncommon(password).then(
      () => [password],
      (error: unknown) => {
        expect(error, password).toMatchObject(at("password", "passwordCommon"));
        return [];
      },
    ),
  );
  return (await Promise.all(judged)).flat();
}

describe("the most common passwords", () => {
  it("are at least three thousand, of every permitted length", async () => {
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

  /**
   * Published yearly lists of common passwords, only those of seven characters and more. They are independent of the
   * library.
   */
  const PUBLISHED = `
    12345678 123456789 1234567890 1234567 password qwerty123 password1 11111111 00000000 87654321 88888888 aaaaaaaa 1111111
    0000000 7777777 9876543210 987654321 0123456789 0987654321 012345678 123123123 12341234 1234512345 12344321 121212121
    12121212 1212121 11223344 112233445566 123321123 147258369 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5 1qaz2wsx
    1qaz2wsx3edc qazwsxedc zaq12wsx zaq1zaq1 qwertyuiop qwertyui qwerty12 qwerty1234 asdfghjkl asdfghjk zxcvbnm zxcvbnm123
    poiuytrewq lkjhgfdsa qwer1234 asdf1234 1234qwer 123qweasd 123456789a a123456789 a1b2c3d4 abcd1234 abc12345 abcdefg
    abcdefgh abcdefghi abcdefghij abcd123 admin123 admin1234 administrator welcome1 welcome123 password12 password123
    password1234 passw0rd pa55word p@ssw0rd iloveyou iloveyou1 letmein1 letmein123 football baseball superman starwars
    princess sunshine whatever trustno1 computer michelle jennifer jessica charlie jordan23 liverpool chelsea arsenal
    monkey123 dragon123 master123 shadow123 test1234 login123 changeme secret123 summer2020 drowssap password1! welcome1! admin123! asdasdasd
    asd123asd123 internet samsung pokemon naruto123 google123 freedom blink182 aaaaaaa 66666666 99999999 55555555 12345678910
    1234567891 123456123456 5201314520 woaini1314 woaini520 йцукенгш фывапролд q1q1q1q1
  `
    .trim()
    .split(/\s+/);

  it("are refused in their published spelling", async () => {
    expect(PUBLISHED.length).toBeGreaterThanOrEqual(100);
    expect(await refusedPasswords(PUBLISHED)).toEqual([]);
  });

  it.each([
    ["one repeated character", ["!!!!!!!", "       ", "........", "ооооооо", "１１１１１１１１"]],
    ["three characters in any order", ["aabbccab", "1223133211", "hahahaaha-ha"]],
    ["a few repeated characters, even cut short", ["x7x7x7x", "ab1ab1ab1a", "k9#fk9#fk", "🗝🔑🗝🔑🗝🔑🗝"]],
    ["an alphabet from either end", ["hijklmno", "ZYXWVUTS", "абвгдежз", "٠١٢٣٤٥٦٧", "3456789:"]],
    ["a row of keys from either end", ["QWERTZUIOP", "lkjhgfd", "!@#$%^&*", "йцукенг", "2wsx3edc", "azertyuiop"]],
    ["a listed word backwards", ["DrowssaP", "uoyevoli", "llabtoof"]],
    ["a common word or a run repeated once", ["qwertyqwerty", "MonkeyMonkey", "123456123456", "1234512345"]],
    [
      "a very common word and a number",
      ["Winter2026!", "Admin1234", "monkey2026", "dragon99", "love2026", "Sunshine7"],
    ],
  ])("are refused, as is %s", async (_what, passwords) => {
    expect(await refusedPasswords(passwords)).toEqual([]);
  });

  it.each([
    ["abcdeabcde-and-more", "a beginning that repeats itself"],
    ["1234567-rooms", "a run followed by more"],
    ["lamp admin1234 quill", "a common word inside"],
    ["zebrafinch2026x", "a number that is not at the end"],
    ["admin12345678-q", "more than a number"],
    ["abdcefgh", "an alphabet out of order"],
  ])("do not include one that only contains such a part: %s (%s)", async (password) => {
    expect(await refusedPasswords([password])).toEqual([password]);
  });

  it("are never part of what browsers load", () => {
    const workspace = join(import.meta.dirname, "../../../../../..");
    for (const name of ["apps/web", "packages/shared"]) {
      expect(readFileSync(join(workspace, name, "package.json"), "utf8"), name).not.toContain("zxcvbn");
    }
  });
});

describe("a chosen password", () => {
  const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const WORDS =
    "amber anchor basket bridge candle carpet cedar copper desert dinner engine falcon feather garden ginger hammer harbor " +
    "island jacket kettle ladder lemon lantern marble meadow monkey needle ocean orange paper password pepper pocket quartz " +
    "ribbon river saddle shadow silver summer sunshine temple thunder tunnel umbrella velvet violet walnut welcome window " +
    "winter yellow zebra";

  /** The draw is deterministic, so that a failing test can be repeated. */
  function seededRandom(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  }

  it("is accepted when it is random, from ten letters and digits on", async () => {
    const draw = seededRandom(20_261);
    const passwords = Array.from({ length: 5_000 }, () =>
      Array.from({ length: 10 + draw(15) }, () => SIGNS[draw(SIGNS.length)]).join(""),
    );
    expect(await refusedPasswords(passwords)).toEqual(passwords);
  });

  it("is accepted when it has four words, even common ones, however they are joined", async () => {
    const draw = seededRandom(7_331);
    const words = WORDS.split(" ");
    const phrases = Array.from({ length: 5_000 }, () => {
      const four = Array.from({ length: 4 }, () => words.splice(draw(words.length), 1)[0] ?? "");
      words.push(...four);
      return four.join([" ", "-", "", "."][draw(4)]).concat(["", "7", "2026"][draw(3)] ?? "");
    });
    expect(await refusedPasswords(phrases)).toEqual(phrases);
  });
});

describe("personal data", () => {
  const names = ["Zoë van Dijk", "+4915112345678", "zoe.dijk@hotel-messing.example", "Hôtel Messing", null];

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
  ])("is refused as a password: %s", (password) => {
    expect(refusal(password, names)).toMatchObject(at("password", "passwordKnown"));
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
  ])("is accepted in a longer password: %s", (password) => {
    expect(refusal(password, names)).toBeNull();
  });

  it("is recognised in every script", () => {
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

  it("is ignored when it is shorter than a word", () => {
    expect(refusal("alxbobx", ["Al", "Bo", "J."])).toBeNull();
  });
});
