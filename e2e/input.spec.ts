import { chooseRoomAction, createRoom } from "./support/desk.ts";
import { expect, test } from "./support/test.ts";

/** Errors appear at their field in the user's language, and no input is lost (source: specification, section 5). */
const ARRIVAL = "2030-03-04T15:00";

const laterBy = (local: string, minutes: number): string =>
  new Date(Date.parse(`${local}Z`) + minutes * 60_000).toISOString().slice(0, 16);

const startingWith = (message: string): RegExp => new RegExp(`^${message}`);

for (const language of ["en", "Arabic"]) {
  test.describe(`in ${language}`, () => {
    test.use({ language });

    test("a departure is at least an hour after the arrival", async ({ page, t, tag, enter }) => {
      await enter();
      await createRoom(page, tag, 10_000);
      await chooseRoomAction(page, t, tag, "checkIn");
      const dialog = page.getByRole("dialog");
      const submit = dialog.locator("button[type=submit]");
      const name = dialog.getByRole("combobox", { name: t("guest.name"), exact: true });
      const arrival = dialog.getByLabel(t("stay.arrival"), { exact: true });
      const departure = dialog.getByLabel(t("stay.departure"), { exact: true });
      await arrival.fill(ARRIVAL);
      await submit.click();
      await expect(dialog.getByText(t("validation.required"), { exact: true })).toBeVisible();
      await name.fill(`Hasty ${tag}`);
      const refused = { 59: "checkOutTooEarly", [-60]: "endBeforeStart" };
      for (const [minutes, message] of Object.entries(refused)) {
        await departure.fill(laterBy(ARRIVAL, Number(minutes)));
        await submit.click();
        await expect(departure).toHaveAccessibleDescription(startingWith(t(`validation.${message}`)));
      }
      await departure.fill("");
      await submit.click();
      await expect(departure).toHaveAccessibleDescription(t("validation.required"));
      await expect(name).toHaveValue(`Hasty ${tag}`);
      await departure.fill(laterBy(ARRIVAL, 61));
      await dialog.getByLabel(t("guest.email"), { exact: true }).fill("nobody@");
      await submit.click();
      await expect(dialog.getByText(t("validation.email"))).toBeVisible();
      await expect(departure).not.toHaveAttribute("aria-invalid");
      await expect(dialog).toBeVisible();
    });

    // The way from a rule to its text is the same for all fields, so one of them speaks for a second language.
    if (language !== "en") return;

    test("a price is at least 1", async ({ page, t, tag, enter }) => {
      await enter();
      const roomId = await createRoom(page, tag, 10_000);
      await page.goto(`/room/${roomId}?tab=prices`);
      const field = (name: string) => page.getByLabel(t(`prices.${name}`), { exact: true });
      const save = page.getByRole("main").locator("button[type=submit]");
      for (const price of ["0", "0.99", "-5", "abc"]) {
        await field("usual").fill(price);
        await field("deposit").fill("33");
        await save.click();
        await expect(field("usual"), price).toHaveAccessibleDescription(t("validation.price"));
        await expect(field("deposit")).toHaveValue(/^33([.,]00)?$/);
      }
      await field("usual").fill("");
      await save.click();
      await expect(field("usual")).toHaveAccessibleDescription(t("validation.price"));
      await field("usual").fill("1");
      await save.click();
      await expect(page.getByText(t("prices.saved_one"))).toBeVisible();
    });

    test("a group needs a name and an order", async ({ page, t, enter }) => {
      await enter();
      await page.goto("/groups");
      await page
        .getByRole("button", { name: t("groups.add") })
        .first()
        .click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(t("groups.sort")).fill("");
      await dialog.getByRole("button", { name: t("common.save") }).click();
      await expect(dialog.getByLabel(t("groups.name"))).toHaveAccessibleDescription(t("validation.required"));
      await expect(dialog.getByLabel(t("groups.sort"))).toHaveAccessibleDescription(t("validation.integer"));
      await dialog.getByLabel(t("groups.sort")).fill("1.5");
      await expect(dialog.getByLabel(t("groups.sort"))).toHaveAccessibleDescription(t("validation.integer"));
    });

    test("an account is a phone number or an e-mail address", async ({ page, t }) => {
      await page.goto("/login");
      const account = page.getByLabel(t("auth.account"), { exact: true });
      await page.getByRole("button", { name: t("auth.login"), exact: true }).click();
      await expect(account).toHaveAccessibleDescription(t("validation.required"));
      await page.getByLabel(t("auth.password"), { exact: true }).fill("key-at-night");
      for (const wrong of [
        "12345",
        "12800000001",
        "1380000000",
        "138000000011",
        "name@",
        "name@example",
        "two words",
      ]) {
        await account.fill(wrong);
        await page.getByRole("button", { name: t("auth.login"), exact: true }).click();
        await expect(account, wrong).toHaveAccessibleDescription(t("validation.account"));
      }
      await expect(page.getByLabel(t("auth.password"), { exact: true })).toHaveValue("key-at-night");
    });

    test("a new password has more than six characters", async ({ page, t, enter }) => {
      await enter();
      await page.goto("/user/changePsw");
      await page.getByRole("button", { name: t("auth.savePassword") }).click();
      const password = page.getByLabel(t("auth.newPassword"), { exact: true });
      const repeated = page.getByLabel(t("auth.confirmPassword"), { exact: true });
      await expect(repeated).toHaveAccessibleDescription(t("validation.required"));
      for (const field of [password, repeated]) {
        await expect(field).toHaveAttribute("type", "password");
        await expect(field).toHaveAttribute("autocomplete", "new-password");
      }
      await password.fill("123456");
      await expect(password).toHaveAccessibleDescription(t("validation.password"));
      await password.fill("1234567");
      await expect(password).toHaveAccessibleDescription(t("auth.passwordHint"));
      await repeated.fill("1234568");
      await expect(repeated).toHaveAccessibleDescription(t("validation.passwordsDiffer"));
    });

    test("a lock's address has 12 hexadecimal digits", async ({ page, t, tag, enter }) => {
      await enter();
      const roomId = await createRoom(page, tag, 10_000);
      await page.goto(`/room/${roomId}?tab=settings`);
      await page.getByRole("textbox", { name: t("room.remarkName") }).fill("Sea view");
      await page.getByRole("switch", { name: t("room.hasLock") }).click();
      const address = page.getByLabel(t("room.mac"), { exact: true });
      const save = page.getByRole("main").locator("button[type=submit]");
      for (const wrong of ["", "A4:C1:38:00:1F", "A4:C1:38:00:1F:2B:00", "not an address"]) {
        await address.fill(wrong);
        await save.click();
        await expect(address, wrong).toHaveAccessibleDescription(t("validation.mac"));
      }
      await expect(page.getByRole("textbox", { name: t("room.remarkName") })).toHaveValue("Sea view");
    });

    test("a place is on the globe", async ({ page, t, enter }) => {
      await enter();
      await page.goto("/hotel");
      const save = page.getByRole("button", { name: t("common.save") });
      const refused: [string, string[]][] = [
        ["latitude", ["90.1", "-91", "north"]],
        ["longitude", ["180.1", "-181", "east"]],
      ];
      for (const [name, values] of refused) {
        const field = page.getByLabel(t(`hotel.${name}`));
        for (const wrong of values) {
          await field.fill(wrong);
          await save.click();
          await expect(field, wrong).toHaveAccessibleDescription(t(`validation.${name}`));
          await expect(field).toHaveValue(wrong);
        }
      }
    });
  });
}

test("a text that is too long shows the longest length", async ({ page, t, tag, enter }) => {
  await enter();
  await createRoom(page, tag, 10_000);
  await chooseRoomAction(page, t, tag, "checkIn");
  const dialog = page.getByRole("dialog");
  const number = dialog.getByLabel(t("guest.documentNumber"));
  await number.fill("9".repeat(41));
  await dialog.locator("button[type=submit]").click();
  await expect(number).toHaveAccessibleDescription(t("validation.tooLong", { max: 40 }));
});
