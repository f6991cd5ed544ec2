import { call, chooseRoomAction, createRoom, createStay, newMac } from "../support/desk.ts";
import { expect, test } from "../support/test.ts";

test("a common door is put into a zone, and a stay gets the zone as an extra for its door code", async ({
  page,
  t,
  tag,
  enter,
  expectAccessible,
  picture,
}) => {
  await enter();
  const [door, zone] = [`Sauna ${tag}`, `Spa ${tag}`];
  const mac = newMac();
  await call(page, "mutation", "locks.save", { mac });
  await page.goto("/commonDoors");
  await page
    .getByRole("button", { name: t("commonDoors.add") })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: t("commonDoors.name") }).fill(door);
  await dialog.getByRole("combobox", { name: t("commonDoors.lock") }).click();
  await page.getByRole("combobox", { name: t("common.search"), exact: true }).fill(mac);
  await page.getByRole("option", { name: mac }).click();
  await dialog.getByRole("button", { name: t("common.save") }).click();
  await expect(page.getByRole("row").filter({ hasText: door })).toContainText(mac);

  await page
    .getByRole("button", { name: t("zones.add") })
    .first()
    .click();
  await dialog.getByRole("textbox", { name: t("commonDoors.name") }).fill(zone);
  await dialog.getByRole("checkbox", { name: door }).click();
  await dialog.getByRole("checkbox", { name: t("zones.isExtra") }).click();
  await expectAccessible();
  await picture("zone-dialog");
  await dialog.getByRole("button", { name: t("common.save") }).click();
  const zones = page.getByRole("region", { name: t("zones.heading") });
  await expect(zones.getByRole("row").filter({ hasText: zone })).toContainText(t("zones.asExtra"));
  await expectAccessible();
  await picture("common-doors");

  const roomId = await createRoom(page, tag, 10_000, newMac());
  const stayId = await createStay(page, "checkIn", { roomId, guest: `Guest ${tag}` });
  await call(page, "mutation", "passcodes.create", { type: "air", roomIds: [roomId], stayId, person: `Guest ${tag}` });
  await chooseRoomAction(page, t, tag, "newCard");
  const keys = page.getByRole("dialog", { name: t("keys.title", { room: tag }) });
  await keys.getByRole("checkbox", { name: zone }).click();
  await expect(keys.getByText(t("zones.waiting", { doors: door }))).toBeVisible();
  await expectAccessible();
  await picture("stay-zones");
});
