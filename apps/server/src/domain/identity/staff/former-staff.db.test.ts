import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, failure, type TestServer } from "../../../../test/harness/server.ts";
import { withApp, withPasskey } from "../../../../test/harness/two-step.ts";

let server: TestServer;
let hotel: TestHotel;
let desk: Browser;
let otherDesk: Browser;
let clerk: TestOperator;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  hotel = await server.createHotel();
  desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
  otherDesk = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
  clerk = await server.createOperator(hotel, { role: "staff" });
});

const form = (account: string, name: string) => ({
  name,
  account,
  password: "a quiet harbour",
  role: "staff" as const,
});
const operator = (id: number) => server.database.prisma.operator.findUniqueOrThrow({ where: { id } });

it("hiring somebody changes nothing in the records of the hotel where they worked before", async () => {
  const { name } = await operator(clerk.id);
  await server.database.prisma.folioEntry.create({
    data: {
      hotelId: hotel.id,
      type: "recharge",
      amountMinor: 100,
      operatorId: clerk.id,
      createdAt: server.clock.now(),
    },
  });
  await desk.api.staff.remove.mutate({ operatorId: clerk.id });
  const hired = await otherDesk.api.staff.save.mutate(form(clerk.account, "Owner Karla Messing"));
  expect(hired.operatorId).not.toBe(clerk.id);
  expect((await operator(clerk.id)).name).toBe(name);
  const { rows } = await desk.api.folio.list.query({ page: 1, pageSize: 20 });
  expect(rows.map(({ operatorName }) => operatorName)).toEqual([name]);
  expect(await operator(hired.operatorId)).toMatchObject({ name: "Owner Karla Messing", mobile: clerk.account });
  await otherDesk.api.staff.save.mutate({ ...form(clerk.account, "Renamed"), operatorId: hired.operatorId });
  expect((await operator(clerk.id)).name).toBe(name);
});

it("somebody who returns to the hotel where they worked is the same person", async () => {
  await desk.api.staff.remove.mutate({ operatorId: clerk.id });
  expect(await desk.api.staff.save.mutate(form(clerk.account, "Clara"))).toEqual({ operatorId: clerk.id });
});

it("the picture, birthday and nationality of a former operator are erased, unless another hotel employs them", async () => {
  const clerkDesk = await server.loginAs(clerk);
  const form = new FormData();
  const image = sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } });
  form.set("file", new Blob([new Uint8Array(await image.png().toBuffer())], { type: "image/png" }), "me.png");
  const request = new Request("http://localhost", { method: "POST", body: form });
  const { body } = await clerkDesk.http("POST", "/api/files?kind=avatar", {
    headers: { "content-type": request.headers.get("content-type") ?? "" },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  const { id: avatarFileId } = JSON.parse(body) as { id: string };
  await clerkDesk.api.auth.saveProfile.mutate({ name: "Clara", avatarFileId });
  const personal = { gender: "female" as const, nationality: "IS", birthDate: new Date("1931-04-17") };
  await server.database.prisma.operator.update({ where: { id: clerk.id }, data: personal });
  const elsewhere = await server.createHotel();
  const boss = await server.loginAs(await server.createOperator(elsewhere, { role: "owner" }));
  await server.database.prisma.membership.create({
    data: { hotelId: elsewhere.id, operatorId: clerk.id, role: "staff" },
  });
  await boss.api.staff.remove.mutate({ operatorId: clerk.id });
  expect(await operator(clerk.id)).toMatchObject({ ...personal, avatarFileId });
  await desk.api.staff.remove.mutate({ operatorId: clerk.id });
  const nothing = { gender: null, nationality: null, birthDate: null, avatarFileId: null };
  expect(await operator(clerk.id)).toMatchObject({ ...nothing, name: "Clara", mobile: clerk.account });
  expect(await server.database.prisma.storedFile.count({ where: { id: avatarFileId } })).toBe(0);
});

it("somebody hired with a former colleague's account cannot use any of the colleague's credentials", async () => {
  const clerkDesk = await server.loginAs(clerk);
  await withApp(server, clerkDesk);
  const authenticator = await withPasskey(clerkDesk);
  await desk.api.staff.remove.mutate({ operatorId: clerk.id });
  const { operatorId } = await desk.api.staff.save.mutate(form(clerk.account, "Clara"));
  const { challenge, passkey } = await server.visitor().api.auth.passkeyChallenge.mutate();
  const attempt = server.visitor().api.auth.passkeyLogin.mutate({ challenge, assertion: authenticator.get(passkey) });
  expect((await failure(attempt)).code).toBe("passkey_wrong");
  const { next } = await server.visitor().api.auth.login.mutate({
    account: clerk.account,
    password: "a quiet harbour",
  });
  expect(next).not.toBe("second_factor");
  const counted = { where: { operatorId } };
  expect(await server.database.prisma.secondFactorCode.count(counted)).toBe(0);
  const { rows } = await desk.api.audit.list.query({ limit: 5 });
  expect(rows.map(({ action }) => action)).toContain("operator.resetTwoStep");
});

it("somebody who worked for another hotel in between is a new person to both", async () => {
  await desk.api.staff.remove.mutate({ operatorId: clerk.id });
  const { operatorId } = await otherDesk.api.staff.save.mutate(form(clerk.account, "Clara"));
  await otherDesk.api.staff.remove.mutate({ operatorId });
  const back = await desk.api.staff.save.mutate(form(clerk.account, "Clara Again"));
  expect(back.operatorId).not.toBe(operatorId);
  expect((await operator(operatorId)).name).toBe("Clara");
});

it("somebody who left a hotel keeps their name in its books when another hotel employs them", async () => {
  const books = { type: "recharge" as const, amountMinor: 100, operatorId: clerk.id, createdAt: server.clock.now() };
  await server.database.prisma.folioEntry.create({ data: { ...books, hotelId: hotel.id } });
  const elsewhere = await server.createHotel();
  const boss = await server.loginAs(await server.createOperator(elsewhere, { role: "owner" }));
  await server.database.prisma.membership.create({
    data: { hotelId: elsewhere.id, operatorId: clerk.id, role: "staff" },
  });
  await desk.api.staff.remove.mutate({ operatorId: clerk.id });
  const { name } = await operator(clerk.id);
  const renamed = { ...form(clerk.account, "Owner Karla Messing"), operatorId: clerk.id };
  expect((await failure(boss.api.staff.save.mutate(renamed))).code).toBe("no_permission");
  const { rows } = await desk.api.folio.list.query({ page: 1, pageSize: 20 });
  expect(rows.map(({ operatorName }) => operatorName)).toEqual([name]);
  // The hotel may still change what the other hotel's records do not show.
  const formWithId = { ...form(clerk.account, name), operatorId: clerk.id };
  expect(await boss.api.staff.save.mutate(formWithId)).toEqual({ operatorId: clerk.id });
});

it("a hotel can check only a limited number of accounts for being taken", async () => {
  const answers: string[] = [];
  for (let at = 0; at < 21; at += 1) {
    const elsewhere = form(clerk.account, "Guess");
    answers.push((await failure(otherDesk.api.staff.save.mutate(elsewhere))).code);
  }
  expect(new Set(answers.slice(0, 20))).toEqual(new Set(["account_taken"]));
  expect(answers[20]).toBe("too_many_attempts");
  const free = form(`139${String(clerk.id).padStart(8, "0")}`, "Guess");
  expect((await failure(otherDesk.api.staff.save.mutate(free))).code).toBe("too_many_attempts");
  expect((await desk.api.staff.save.mutate(free)).operatorId).toBeGreaterThan(0);
}, 60_000);
