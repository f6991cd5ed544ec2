import { expect, it } from "vitest";
import { NAV } from "./nav.ts";

const entries = NAV.flatMap(({ entries }) => entries);

it("leaves out what is reached from elsewhere", () => {
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

it("keeps card keys and third parties for those with authority over them", () => {
  expect(entries.filter(({ apiKeyAuth }) => apiKeyAuth).map(({ path }) => path)).toEqual([
    "/cardEncryption/cardEncryption",
    "/thirdPartyAuthorization/thirdPartyAuthorization",
  ]);
});
