import { describe, expect, it } from "vitest";
import { z } from "zod";
import { notesOf } from "./fields.ts";
import { endpoints } from "./registry.ts";

/** The calls exactly as in the product specification, section 7. */
const SPECIFIED: Record<string, string> = {
  "/manage/": "login logout setting/updatePassword getBack/sendMsg getBack/reset oss/token",
  "/manage/room/": `setHotelData hotelInfo getHotelInfo setHotelInfo hotelBreakFastList hotelBreakFast clientList clientDelete
    listNew setRoomStatus allLock exchangeHouses category/list addCategory change/category tenant/list openHistory
    tenant/update/checkIn tenant/limitPassword checkOut lockInfo setLockData setPrice setRenew countRoomPriceNew cardAdd
    cardEncryption cardEncryptionList deleteCardEncryption sendCardEncryptionSyntony openHistoryByPeople password
    passwordHistory deletePassword callbackPassword addPassword passwordList addCardStepTwoNew deletePassenger addPassenger
    sendCard sendCardEncryption staffList staffManageRoomList staffManageRoomList1 deleteStaff addStaff addStaffManageLock`,
  "/manage/priceTemplate/": "lists info add delete setPriceTemplate",
  "/manage/user/": `setManager apiKeyList apiKeyDel apikey deleteTFaceImg freezeUser uploadTFaceImg updateFaceNote
    faceImgList updateLockFaceNote`,
  "/manage/lock/": `managerList managerAddNew managerDelete inLockList messageList deleteMessage checkHistory empowerFace
    empowerFaceList deleteEmpowerFace noteCardList`,
  "/manage/passenger/": "getRoomInfo deleteCardByCardId list info",
  "/manage/order/": "setCashData macMember refund recharge orderList cash",
  "/manage/cardDispenser/": "add lists checkStatus",
};
/** Calls that the contract adds. */
const ADDED = ["/manage/captcha"];

const specified = Object.entries(SPECIFIED).flatMap(([base, names]) => names.split(/\s+/).map((name) => base + name));

describe("the registry", () => {
  it("has the specification's 93 calls and the additions, each exactly once", () => {
    expect(specified).toHaveLength(93);
    expect(endpoints.map(({ path }) => path).sort()).toEqual([...specified, ...ADDED].sort());
  });

  it.each(endpoints.map((endpoint) => [endpoint.path, endpoint] as const))(
    "%s describes its fields",
    (_path, endpoint) => {
      expect(endpoint.summary).toMatch(/^[A-Z].*\.$/);
      for (const [field, schema] of Object.entries(endpoint.input)) expect(notesOf(schema), field).toBeDefined();
    },
  );

  it("requires a token for every call except login and recovery", () => {
    const open = endpoints.filter((endpoint) => endpoint.open).map(({ path }) => path.slice("/manage/".length));
    expect(open.sort()).toEqual(["captcha", "getBack/reset", "getBack/sendMsg", "login"]);
  });
});

it("every field builder has an example that it accepts", () => {
  for (const { path, input } of endpoints) {
    for (const [field, schema] of Object.entries(input)) {
      const notes = notesOf(schema);
      const parsed = z.safeParse(schema, notes?.example);
      expect(parsed.success, `${path} ${field}: ${JSON.stringify(notes?.example)}`).toBe(true);
    }
  }
});
