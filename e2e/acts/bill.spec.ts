import type { Page } from "@playwright/test";
import { call, chooseRoomAction, createRoom, createStay, findStay } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

const openGuest = async (page: Page, guest: string): Promise<void> => {
  const { guests } = await findStay(page, guest);
  await page.goto(`/room/thetouristsDetails?id=${guests[0]?.stayGuestId}`);
};

test("an extra is charged on the guest's page, cancelled with a reason, and stays readable on the bill", async ({
  page,
  t,
  tag,
  enter,
  picture,
  expectAccessible,
}) => {
  await enter();
  const guest = `Ada ${tag}`;
  await createStay(page, "checkIn", { roomId: await createRoom(page, tag, 10_000), guest });
  await openGuest(page, guest);
  const main = page.getByRole("main");
  const dialog = page.getByRole("dialog");

  await main.getByRole("button", { name: t("board.addExtra") }).click();
  await dialog.getByRole("button", { name: t("folio.charge"), exact: true }).click();
  await expect(dialog.getByText(t("validation.required")).first()).toBeVisible();
  await dialog.getByLabel(t("folio.extraText")).fill("Minibar");
  await dialog.getByLabel(t("folio.quantity")).fill("3");
  await dialog.getByLabel(t("folio.each")).fill("4.50");
  await expect(dialog).toContainText("13.50");
  await picture("extra");
  await expectAccessible();
  await dialog.getByRole("button", { name: t("folio.charge"), exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(main.getByText("3 × €4.50", { exact: false })).toBeVisible();
  expect((await findStay(page, guest)).money).toMatchObject({ chargedMinor: 11_350, owedMinor: 11_350 });
  await picture("charged");

  await main.getByRole("button", { name: t("folio.cancelCharge") }).click();
  await dialog.getByRole("button", { name: t("folio.cancelCharge") }).click();
  await expect(dialog.getByText(t("validation.required")).first()).toBeVisible();
  await dialog.getByLabel(t("folio.reason")).fill("The neighbour’s minibar");
  await picture("cancel");
  await expectAccessible();
  await dialog.getByRole("button", { name: t("folio.cancelCharge") }).click();
  await expect(dialog).toBeHidden();
  await expect(main.getByText(t("folio.typeOf.cancellation"))).toBeVisible();
  await expect(main.getByText("The neighbour’s minibar")).toBeVisible();
  expect((await findStay(page, guest)).money).toMatchObject({ chargedMinor: 10_000, owedMinor: 10_000 });
});

test("an extra is charged from the room's menu, and while checking out, where its price is added to the bill", async ({
  page,
  t,
  tag,
  enter,
  picture,
}) => {
  await enter();
  const guest = `Bo ${tag}`;
  await createStay(page, "checkIn", { roomId: await createRoom(page, tag, 10_000), guest });
  const dialog = page.getByRole("dialog");
  await chooseRoomAction(page, t, tag, "addExtra");
  await dialog.getByLabel(t("folio.extraText")).fill("Parking");
  await dialog.getByLabel(t("folio.each")).fill("15");
  await dialog.getByRole("radio", { name: t("stay.channel.card") }).click();
  await dialog.getByRole("button", { name: /15\.00/ }).click();
  await expect(dialog).toBeHidden();
  expect((await findStay(page, guest)).money).toMatchObject({ chargedMinor: 11_500, owedMinor: 10_000 });

  await chooseRoomAction(page, t, tag, "checkOut");
  await dialog.getByRole("button", { name: t("board.addExtra") }).click();
  const extra = page.getByRole("dialog", { name: t("board.addExtra") });
  await extra.getByLabel(t("folio.extraText")).fill("Late check-out");
  await extra.getByLabel(t("folio.each")).fill("20");
  await picture("extra-at-check-out");
  await extra.getByRole("button", { name: t("folio.charge"), exact: true }).click();
  await expect(extra).toBeHidden();
  await expect(dialog).toContainText("€135.00");
  await dialog.getByRole("radio", { name: t("stay.channel.cash") }).click();
  await picture("check-out");
  await dialog.getByRole("button", { name: t("stay.checkOut") }).click();
  await expect(dialog).toBeHidden();
  expect((await findStay(page, guest)).money).toMatchObject({ chargedMinor: 13_500, owedMinor: 0 });
});

test("breakfast is on the bill once it is ticked as served, and off again when unticked", async ({
  page,
  t,
  tag,
  enter,
}) => {
  await enter();
  const guest = `Cy ${tag}`;
  const hour = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
  const roomId = await createRoom(page, tag, 10_000);
  const party = { guests: [{ name: guest }], breakfast: true };
  await call(page, "mutation", "stays.checkIn", {
    ...{ roomId, unit: "day", startsAt: hour(-26), endsAt: hour(30) },
    ...party,
  });
  const before = (await findStay(page, guest)).money.owedMinor;
  const { priceMinor } = await call<{ priceMinor: number }>(page, "query", "breakfast.list", {});
  expect(priceMinor).toBeGreaterThan(0);
  await page.goto(`/breakfast?q=${tag}`);
  const mark = page.getByRole("button", { name: guest });
  await mark.click();
  await expect(mark).toHaveAttribute("aria-pressed", "true");
  await expect.poll(async () => (await findStay(page, guest)).money.owedMinor).toBe(before + priceMinor);
  await openGuest(page, guest);
  await expect(
    page
      .getByRole("main")
      .getByRole("listitem")
      .filter({ hasText: t("folio.typeOf.breakfast") }),
  ).toBeVisible();
  await page.goto(`/breakfast?q=${tag}`);
  await mark.click();
  await expect(mark).toHaveAttribute("aria-pressed", "false");
  await expect.poll(async () => (await findStay(page, guest)).money.owedMinor).toBe(before);
});

test("the button of a check-in and of a renewal names the amount that the bill says is due now", async ({
  page,
  t,
  tag,
  enter,
}) => {
  await enter();
  await createRoom(page, tag, 14_900);
  const dialog = page.getByRole("dialog");
  const dueNow = (): Promise<string | null> =>
    dialog
      .locator("div", { has: page.getByText(t("stay.dueNow"), { exact: true }) })
      .last()
      .locator("dd")
      .textContent();
  const act = (name: string) => dialog.getByRole("button", { name: new RegExp(`^${name}`) });

  await chooseRoomAction(page, t, tag, "checkIn");
  await expect.poll(dueNow).toBe("€50.00");
  await expect(act(t("stay.checkIn"))).toHaveText(t("stay.actTakes", { act: t("stay.checkIn"), amount: "€50.00" }));
  await dialog.getByRole("radio", { name: t("stay.channel.card") }).click();
  await expect.poll(dueNow).toBe("€199.00");
  await expect(act(t("stay.checkIn"))).toHaveText(t("stay.actTakes", { act: t("stay.checkIn"), amount: "€199.00" }));
  await dialog.getByLabel(t("guest.name")).fill(`Di ${tag}`);
  await dialog.getByRole("radio", { name: t("stay.payLater") }).click();
  await act(t("stay.checkIn")).click();
  await expect(dialog).toBeHidden();
  const { money } = await findStay(page, `Di ${tag}`);
  expect(money).toMatchObject({ paidMinor: 0, depositHeldMinor: 5_000 });

  await chooseRoomAction(page, t, tag, "renew");
  await expect.poll(dueNow).toBe("€0.00");
  await expect(act(t("stay.renew"))).toHaveText(t("stay.renew"));
  await dialog.getByRole("radio", { name: t("stay.channel.cash") }).click();
  await expect.poll(dueNow).toBe("€149.00");
  await expect(act(t("stay.renew"))).toHaveText(t("stay.actTakes", { act: t("stay.renew"), amount: "€149.00" }));
});
