import { expect, it } from "vitest";
import { shortNameOf, surnameOf } from "./surname.ts";

it.each([
  ["Ann Lee", "Lee"],
  ["Jan van der Berg", "Berg"],
  ["Müller, Hans Peter", "Müller"],
  ["van der Berg, Jan", "van der Berg"],
  ["Cher", "Cher"],
  ["王小明", "王"],
  ["欧阳娜娜", "欧阳"],
  ["山田 太郎", "山田"],
  ["김민준", "김"],
  ["محمد العلي", "العلي"],
  ["  Ann   Lee ", "Lee"],
  ["–", "–"],
])("the surname of %s is %s", (name, surname) => {
  expect(surnameOf(name)).toBe(surname);
});

it.each([
  ["Ann Lee", "Lee"],
  ["王小明", "王小明"],
  ["山田 太郎", "山田 太郎"],
])("where there is little room, %s is %s", (name, short) => {
  expect(shortNameOf(name)).toBe(short);
});
