import type { SeededIds } from "../harness/seeded-hotel.ts";

/**
 * A valid input of each call of the compatibility layer, with ids of `ids`. `now` in Unix seconds. Calls without ids
 * have the same input for everyone.
 */
export type Sample = (ids: SeededIds, now: number) => Record<string, unknown>;

const DAY = 86_400;
const none: Sample = () => ({});
const prices = { deposit: "50", usual_price: "128.00", weekend_price: "158.00" };
const booking = (now: number) => ({ check_in_time: now, check_out_time: now + DAY });
const ANN = { name: "Ann Lee" };

export const SAMPLES: Record<string, Sample> = {
  captcha: none,
  login: () => ({ mobile: "13900000001", password: "a wrong one" }),
  logout: none,
  "setting/updatePassword": () => ({
    old_password: "a wrong one",
    password: "new secret",
    confirm_password: "new secret",
  }),
  "getBack/sendMsg": () => ({
    mobile: "13900000001",
    captcha_id: "7b0c5f0e-2f0e-4a53-9d3a-0a6f2f6d6d2b",
    code: "K7PX",
  }),
  "getBack/reset": () => ({
    mobile: "13900000001",
    code: "123456",
    password: "new secret",
    confirm_password: "new secret",
  }),
  "oss/token": () => ({ type: "room", content_type: "image/png", size: 1000 }),

  "room/setHotelData": () => ({ name: "Renamed", address: "1 Quay", tel: "030 1", latitude: 52.5, longitude: 13.4 }),
  "room/hotelInfo": none,
  "room/getHotelInfo": none,
  "room/setHotelInfo": () => ({ notice: "Welcome" }),
  "room/hotelBreakFastList": none,
  "room/hotelBreakFast": ({ stayGuestId }) => ({ manage_id: stayGuestId, used: 1 }),
  "room/clientList": none,
  "room/clientDelete": ({ customerId }) => ({ id: customerId }),
  "room/listNew": none,
  "room/setRoomStatus": ({ freeRoomId }) => ({ room_id: freeRoomId, status: "dirty" }),
  "room/allLock": none,
  "room/exchangeHouses": ({ stayGuestId, freeRoomId }) => ({ manage_id: stayGuestId, room_id: freeRoomId }),
  "room/category/list": none,
  "room/addCategory": () => ({ name: "Sea side", sort: 5 }),
  "room/change/category": ({ roomId, groupId }) => ({ room_ids: [roomId], category_id: groupId }),
  "room/tenant/list": none,
  "room/openHistory": ({ roomId }) => ({ room_id: roomId }),
  "room/tenant/update/checkIn": ({ freeRoomId }, now) => ({ room_id: freeRoomId, ...booking(now), ...ANN }),
  "room/tenant/limitPassword": ({ stayGuestId }) => ({ manage_id: stayGuestId }),
  "room/checkOut": ({ stayGuestId }) => ({ manage_id: stayGuestId, confirm: 1 }),
  "room/lockInfo": ({ roomId }) => ({ room_id: roomId }),
  "room/setLockData": ({ roomId }) => ({ room_id: roomId, remark_name: "By the lift" }),
  "room/setPrice": ({ roomId }) => ({ room_ids: [roomId], ...prices }),
  "room/setRenew": ({ stayGuestId }, now) => ({ manage_id: stayGuestId, check_out_time: now + 5 * DAY }),
  "room/countRoomPriceNew": ({ roomId }, now) => ({ room_id: roomId, ...booking(now) }),
  "room/cardAdd": () => ({ card_num: "0A0B0C0D", kind: "management" }),
  "room/addCardStepTwoNew": ({ cardId, roomId }, now) => ({
    card_id: cardId,
    room_ids: [roomId],
    start: now,
    end: now + DAY,
  }),
  "room/cardEncryption": ({ stayGuestId }) => ({ card_num: "0A0B0C0E", manage_id: stayGuestId }),
  "room/sendCardEncryptionSyntony": ({ cardId }) => ({ id: cardId, read_back: "00112233445566778899AABBCCDDEEFF" }),
  "room/cardEncryptionList": none,
  "room/deleteCardEncryption": ({ masterCardId }) => ({ id: masterCardId }),
  "room/sendCard": ({ stayGuestId }) => ({ manage_id: stayGuestId, card_num: "0A0B0C0F" }),
  "room/sendCardEncryption": ({ stayGuestId }) => ({ manage_id: stayGuestId, card_num: "0A0B0C10" }),
  "room/openHistoryByPeople": ({ stayGuestId }) => ({ manage_id: stayGuestId }),
  "room/password": ({ roomId }, now) => ({ room_id: roomId, type: "air", ...ANN, start: now, end: now + DAY }),
  "room/addPassword": ({ stayGuestId }) => ({ manage_id: stayGuestId, type: "air" }),
  "room/passwordList": ({ roomId }) => ({ room_id: roomId }),
  "room/passwordHistory": ({ roomId }) => ({ room_id: roomId }),
  "room/callbackPassword": ({ passcodeId }) => ({ id: passcodeId }),
  "room/deletePassword": ({ passcodeId }) => ({ id: passcodeId }),
  "room/addPassenger": ({ stayGuestId }) => ({ manage_id: stayGuestId, name: "Ben Lee" }),
  "room/deletePassenger": ({ stayGuestId }) => ({ manage_id: stayGuestId }),
  "room/staffList": none,
  "room/staffManageRoomList": ({ staffId }) => ({ staff_id: staffId }),
  "room/staffManageRoomList1": ({ staffId }) => ({ staff_id: staffId }),
  "room/addStaff": () => ({ name: "Cara", mobile: "13912345677", password: "new secret", role: "staff" }),
  "room/deleteStaff": ({ staffId }) => ({ id: staffId }),
  "room/addStaffManageLock": ({ staffId, roomId }) => ({ staff_id: staffId, room_ids: [roomId] }),

  "priceTemplate/lists": none,
  "priceTemplate/info": ({ priceTemplateId }) => ({ id: priceTemplateId }),
  "priceTemplate/add": () => ({ name: "Winter", ...prices }),
  "priceTemplate/delete": ({ priceTemplateId }) => ({ id: priceTemplateId }),
  "priceTemplate/setPriceTemplate": ({ priceTemplateId, roomId }) => ({
    template_id: priceTemplateId,
    room_ids: [roomId],
  }),

  "user/setManager": ({ staffId }) => ({ user_id: staffId, is_manager: 1 }),
  "user/apikey": () => ({ name: "Cleaning app", scopes: ["rooms.view"] }),
  "user/apiKeyList": none,
  "user/apiKeyDel": ({ apiKeyId }) => ({ id: apiKeyId }),
  "user/uploadTFaceImg": () => ({ image: "AAAA", note: "Ann" }),
  "user/faceImgList": none,
  "user/deleteTFaceImg": ({ faceId }) => ({ faceId }),
  "user/updateFaceNote": ({ faceId }) => ({ faceId, note: "Ann, night shift" }),
  "user/updateLockFaceNote": ({ faceGrantId }) => ({ id: faceGrantId, note: "Front door" }),
  "user/freezeUser": ({ staffId }) => ({ user_id: staffId, freeze: 1 }),

  "lock/managerList": ({ lockId }) => ({ lock_id: lockId }),
  "lock/managerAddNew": ({ lockId }) => ({ lock_id: lockId, account: "13900000001" }),
  "lock/managerDelete": ({ grantId }) => ({ id: grantId }),
  "lock/inLockList": ({ lockId }) => ({ lock_id: lockId }),
  "lock/messageList": none,
  "lock/deleteMessage": ({ alertId }) => ({ id: alertId }),
  "lock/checkHistory": none,
  "lock/empowerFace": ({ faceId, lockId }) => ({ faceId, lock_ids: [lockId], permanent: 1 }),
  "lock/empowerFaceList": ({ lockId }) => ({ lock_id: lockId }),
  "lock/deleteEmpowerFace": ({ faceGrantId }) => ({ id: faceGrantId }),
  "lock/noteCardList": ({ lockId }) => ({ lock_id: lockId }),

  "passenger/getRoomInfo": () => ({ card_num: "DA3CBC66" }),
  "passenger/deleteCardByCardId": ({ cardId }) => ({ card_id: cardId }),
  "passenger/list": none,
  "passenger/info": ({ stayGuestId }) => ({ manage_id: stayGuestId }),

  "order/orderList": none,
  "order/recharge": () => ({ amount: "500.00", channel: "cash" }),
  "order/refund": ({ entryId }) => ({ order_id: entryId, amount: "10.00" }),
  "order/setCashData": () => ({ type: "bank", name: "Harbour Ltd", account: "DE02120300000000202051", bank: "DKB" }),
  "order/cash": () => ({ amount: "10.00" }),
  "order/macMember": () => ({ mac_id: "02:00:00:00:01:01" }),
  "cardDispenser/add": () => ({ device_no: "R-77", name: "Bar", type: 1 }),
  "cardDispenser/lists": none,
  "cardDispenser/checkStatus": ({ deviceNo }) => ({ device_no: deviceNo }),
};
