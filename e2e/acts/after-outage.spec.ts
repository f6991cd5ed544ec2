import { call, createRoom, createStay, findStay } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

/** What the desk does once the server is back. */
test("what was done on paper is kept, checked and applied, and a conflict stays", async ({
  page,
  t,
  tag,
  enter,
  expectAccessible,
}) => {
  await enter();
  const staying = `Staying ${tag}`;
  const arriving = `Paper ${tag}`;
  const takenRoomId = await createRoom(page, `${tag}1`, 10_000);
  await createRoom(page, `${tag}2`, 10_000);
  await createStay(page, "checkIn", { roomId: takenRoomId, guest: staying });
  await page.goto("/roster");
  await page.getByRole("link", { name: t("nav.afterOutage") }).click();

  const { timeZone } = await call<{ timeZone: string }>(page, "query", "hotel.get", undefined);
  const localTime = (hours: number): string =>
    new Date(Date.now() + hours * 3_600_000).toLocaleString("sv-SE", { timeZone }).slice(0, 16);
  const enterArrival = async (room: string, guest: string): Promise<void> => {
    await page.getByLabel(t("stay.room"), { exact: true }).click();
    await page.keyboard.type(room);
    await page.getByRole("option", { name: room }).click();
    await page.getByLabel(t("stay.guest"), { exact: true }).fill(guest);
    await page.getByLabel(t("stay.arrival"), { exact: true }).fill(localTime(-2));
    await page.getByLabel(t("stay.departure"), { exact: true }).fill(localTime(22));
    await page.getByRole("button", { name: t("afterOutage.add") }).click();
  };
  await page.getByRole("radio", { name: t("stay.checkIn") }).click();
  await enterArrival(`${tag}2`, arriving);
  await enterArrival(`${tag}1`, `Other ${tag}`);
  await expect(page.getByText(t("afterOutage.ready"))).toHaveCount(1);

  await page.reload();
  const conflict = page.getByRole("listitem").filter({ hasText: `Other ${tag}` });
  await expect(conflict.first()).toContainText(staying);
  await expectAccessible();
  await page.getByRole("button", { name: t("afterOutage.apply", { count: "1" }) }).click();
  await expect(page.getByText(t("afterOutage.applied"))).toHaveCount(1);
  await expect(page.getByRole("button", { name: t("card.write") })).toBeVisible();
  expect(await findStay(page, arriving)).toMatchObject({ state: "checked_in", money: { paidMinor: 0 } });
  await expect(conflict.first()).toContainText(staying);

  await page.goto("/audit?action=stay.after_outage");
  await expect(
    page
      .getByRole("listitem")
      .filter({ hasText: t("audit.action.stay.after_outage") })
      .first(),
  ).toBeVisible();
});
