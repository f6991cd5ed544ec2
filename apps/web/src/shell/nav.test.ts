import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LANGUAGES } from "@innkey/shared/languages";
import { expect, it } from "vitest";
import { readTexts } from "../../../../scripts/lib/locale-files.ts";
import { entryOf, NAV } from "./nav.ts";

const entries = NAV.flatMap(({ entries }) => entries);

it("leaves out pages that are reached from other pages", () => {
  const hidden = [
    "/login",
    "/find",
    "/404",
    "/user/changePsw",
    "/bindCardReaderToUser/bindCardReaderToUser",
    "/center/addCard",
    "/center/universalCardList",
    "/center/addUniversalCard",
    "/center/selectRoomList",
    "/center/cardSenderFingerTest",
  ];
  expect(entries.map(({ path }) => path).filter((path) => hidden.includes(path))).toEqual([]);
});

it.each(LANGUAGES)("gives no two entries or groups the same name in $code", ({ code }) => {
  const texts = readTexts(code);
  const names = [...NAV, ...entries].map(({ labelKey }) => texts.get(labelKey)?.toLowerCase());
  expect(names).not.toContain(undefined);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it("shows card keys and third parties only to those with the permission", () => {
  expect(entries.filter(({ apiKeyAuth }) => apiKeyAuth).map(({ path }) => path)).toEqual([
    "/cardEncryption/cardEncryption",
    "/thirdPartyAuthorization/thirdPartyAuthorization",
  ]);
});

it("shows for every page behind the login which entry it belongs to", () => {
  const folder = fileURLToPath(new URL("../routes/_app", import.meta.url));
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx") && readFileSync(join(folder, file), "utf8").includes("component:"))
    .map(
      (file) =>
        `/${file
          .replace(/\.tsx$/, "")
          .replace(/_(?=\/|\.|$)/g, "")
          .replaceAll(".", "/")}`,
    )
    .map((path) => path.replace(/\/index$/, "").replace(/\$\w+/g, "7"))
    .filter((path) => path !== "");
  expect(pages.length).toBeGreaterThan(30);
  const paths = entries.map(({ path }) => path);
  expect(pages.filter((page) => !paths.includes(entryOf(page) ?? ""))).toEqual([]);
  expect(entryOf("/doors/entered")).toBe("/doors");
  expect(entryOf("/locks/7")).toBe("/locks");
  expect(entryOf("/room/thetouristsDetails")).toBe("/guests");
  expect(entryOf("/center/addCard")).toBe("/center/cardList");
});
