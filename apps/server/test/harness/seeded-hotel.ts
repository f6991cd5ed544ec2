import type { Browser } from "./browser.ts";
import type { TestHotel, TestOperator } from "./people.ts";
import type { TestServer } from "./server.ts";

/** A hotel with one of everything, by id; every name in it contains `mark`. */
export interface SeededHotel {
  mark: string;
  hotel: TestHotel;
  owner: TestOperator;
  ownerDesk: Browser;
  /** Has every capability that can be granted, but no room */
  clerk: TestOperator;
  ids: SeededIds;
}

export interface SeededIds {
  hotelId: number;
  groupId: number;
  /** A room with checked-in guests */
  roomId: number;
  freeRoomId: number;
  customerId: number;
  stayId: number;
  stayGuestId: number;
  entryId: number;
  /** An extra that this stay was charged, and a withdrawal */
  extraEntryId: number;
  withdrawalEntryId: number;
  /** A message to that guest, to be handed over */
  guestMessageId: number;
  /** A hand-over note about `roomId` */
  noteId: number;
  /** A common door with a lock, and a lock on no door */
  doorId: number;
  spareLockId: number;
  /** A zone with that door, offered as an extra */
  zoneId: number;
  cardId: number;
  /** A live staff card of `roomId` */
  masterCardId: number;
  /** A guest's revoked card; its lock hasn't confirmed that yet */
  lostCardId: number;
  reservedStayId: number;
  operatorId: number;
  /** The clerk's id */
  staffId: number;
  /** Grants `roomId` to another staff member */
  grantId: number;
  /** The party's first guest */
  guestId: number;
  sessionId: string;
  fileId: string;
  passcodeId: number;
  faceId: number;
  /** Access of that face at the room's door */
  faceGrantId: number;
  /** A face picture that is not enrolled yet */
  faceFileId: string;
  /** The lock of `roomId` */
  lockId: number;
  /** The command that opened its door */
  commandId: string;
  alertId: number;
  /** An export requested by the owner */
  exportId: string;
  /** A card reader that isn't assigned to anyone */
  cardReaderId: number;
  deviceNo: string;
  /** Uploaded by the owner, not used yet */
  avatarFileId: string;
  priceTemplateId: number;
  apiKeyId: number;
  calendarFeedId: number;
  webhookId: number;
  /** A delivery to that webhook, which refused it */
  deliveryId: string;
}

const DAY_MS = 86_400_000;

/** Creates the hotel through the console's procedures, as its owner would. */
export async function seedTestHotel(server: TestServer, mark: string): Promise<SeededHotel> {
  const hotel = await server.createHotel({ name: `${mark} hotel` });
  const owner = await server.createOperator(hotel, { role: "owner", apiKeyAuth: true });
  const clerk = await server.createOperator(hotel, {
    role: "staff",
    capabilities: [
      "rooms.view",
      "rooms.status",
      "prices.agree",
      "stays.view",
      "stays.manage",
      "guests.documents",
      "cards.view",
      "cards.issue",
      "customers.view",
      "customers.manage",
      "cardReaders.view",
      "folio.view",
      "folio.refund",
      "reports.view",
      "reports.close",
      "unlocks.view",
      "alerts.view",
      "alerts.manage",
      "hotel.view",
      "breakfast.manage",
      "locks.view",
      "locks.open",
      "locks.retry",
      "passcodes.view",
      "passcodes.issue",
      "faces.view",
      "faces.manage",
    ],
  });
  const ownerDesk = await server.loginAs(owner);
  const { api } = ownerDesk;
  const { id: groupId } = await api.groups.save.mutate({ name: `${mark} group`, sort: 1 });
  const room = (name: string, mac: string) =>
    api.rooms.save.mutate({ name: `${mark} ${name}`, groupId, lock: { mac } });
  const { roomId } = await room("101", "02:00:00:00:01:01");
  const { roomId: freeRoomId } = await room("102", "02:00:00:00:01:02");
  const lockId = (await api.rooms.detail.query({ roomId })).lock?.id ?? 0;
  const { lockId: doorLockId } = await api.locks.save.mutate({ mac: "02:00:00:00:01:03" });
  const { doorId } = await api.doors.save.mutate({ name: `${mark} door`, kind: "entrance", lockId: doorLockId });
  const { lockId: spareLockId } = await api.locks.save.mutate({ mac: "02:00:00:00:01:04" });
  const zone = { name: `${mark} zone`, kind: "entrance" as const, isExtra: true, doorIds: [doorId] };
  const { zoneId } = await api.zones.save.mutate(zone);
  const unmanaged = [{ slot: 1, kind: "passcode", name: `${mark} code` }];
  await server.database.prisma.lock.update({ where: { id: lockId }, data: { online: true, unmanaged } });
  await server.database.prisma.lock.update({ where: { id: doorLockId }, data: { online: true } });
  const { commandId } = await api.locks.open.mutate({ roomId });
  const prices = { depositMinor: 10_000, usualMinor: 10_000, weekendMinor: 12_000 };
  await api.rooms.setPrices.mutate({ roomIds: [roomId, freeRoomId], prices });
  const { templateId: priceTemplateId } = await api.priceTemplates.save.mutate({ name: `${mark} season`, prices });
  const { id: customerId } = await api.customers.save.mutate({
    kind: "company",
    name: `${mark} customer`,
    mobile: "",
    email: "",
  });
  const now = server.clock.now().getTime();
  const at = (days: number): string => new Date(now + days * DAY_MS).toISOString();
  const party = {
    unit: "day" as const,
    guests: [{ name: `${mark} guest`, mobile: "", email: "" }],
    otherInformation: mark,
  };
  const stay = await api.stays.checkIn.mutate({
    ...party,
    roomId,
    startsAt: at(0),
    endsAt: at(2),
    customerId,
    channel: "cash",
  });
  // The stay started yesterday with breakfast, so the guest has breakfast this morning.
  await server.database.prisma.stay.update({
    where: { id: stay.stayId },
    data: { startsAt: at(-1), breakfast: true },
  });
  const extra = { stayId: stay.stayId, text: `${mark} minibar`, quantity: 1, unitMinor: 300, channel: "cash" as const };
  const { entryId: extraEntryId } = await api.folio.chargeExtra.mutate(extra);
  await api.balance.setAccount.mutate({ type: "bank", name: `${mark} bank`, number: "DE8937040044" });
  const { entryId: withdrawalEntryId } = await api.folio.withdraw.mutate({ amountMinor: 100, repeatedMinor: 100 });
  await api.guestLinks.make.mutate({ stayGuestId: stay.stayGuestId });
  const { id: guestMessageId } = await api.guestMessages.send.mutate({
    stayGuestId: stay.stayGuestId,
    event: "checked_in",
    contacts: { mobile: "", email: "" },
  });
  const text = { hotelId: hotel.id, channel: "mail", recipient: "", subject: `${mark} subject`, body: mark } as const;
  const { outgoingMessages } = server.services;
  const messageId = await outgoingMessages.queueWritten(server.database.prisma, { ...text, toHandOver: true });
  await server.database.prisma.guestMessage.update({
    where: { id: guestMessageId },
    data: { state: "to_hand_over", messageId },
  });
  const { id: noteId } = await api.handOver.add.mutate({ text: `${mark} note`, roomId });
  const reserved = await api.stays.reserve.mutate({ ...party, roomId: freeRoomId, startsAt: at(10), endsAt: at(12) });
  const { cardId } = await api.cards.prepare.mutate({ stayId: stay.stayId, uid: "DA3CBC66", note: mark });
  const confirmWriting = async ({ cardId: id, data: readBack }: { cardId: number; data: string }) =>
    (await api.cards.confirm.mutate({ cardId: id, readBack })).cardId;
  const master = { kind: "management" as const, uid: "DA3CBC67", note: `${mark} floor`, roomIds: [roomId] };
  const masterCardId = await confirmWriting(await api.cards.prepareMaster.mutate(master));
  const lostCardId = await confirmWriting(
    await api.cards.prepare.mutate({ stayId: stay.stayId, uid: "DA3CBC68", note: mark }),
  );
  await api.cards.revoke.mutate({ cardId: lostCardId, reason: "lost" });
  const housekeeper = await server.createOperator(hotel, { role: "staff", roomIds: [roomId] });
  const keepersRoom = { where: { membershipId: housekeeper.membershipId } };
  const { id: grantId } = await server.database.prisma.roomGrant.findFirstOrThrow(keepersRoom);
  const colleague = await server.createOperator(hotel, { role: "administrator" });
  const second = await server.loginAs(owner);
  const session = (await second.api.auth.sessions.query()).find(({ current }) => current);
  if (!session) throw new Error("no session of one's own");
  const picture = (kind: "room" | "face" | "avatar") =>
    server.database.prisma.storedFile.create({
      data: {
        hotelId: hotel.id,
        kind,
        contentType: "image/webp",
        sizeBytes: 1,
        width: 1,
        height: 1,
        sha256: mark,
        createdById: owner.id,
      },
    });
  const file = await picture("room");
  const { passcodeId } = await api.passcodes.create.mutate({
    type: "air",
    roomIds: [roomId],
    person: `${mark} person`,
  });
  const { id: fileOfFace } = await picture("face");
  const { faceId } = await api.faces.enrol.mutate({ fileId: fileOfFace, note: `${mark} face`, consent: true });
  const { credentialIds } = await api.faces.grant.mutate({ faceId, roomIds: [roomId] });
  const { id: faceFileId } = await picture("face");
  const { id: avatarFileId } = await picture("avatar");
  const deviceNo = `${mark.toUpperCase()}-01`;
  const { id: cardReaderId } = await api.cardReaders.save.mutate({ deviceNo, name: `${mark} reader`, type: 1 });
  const raised = { firstAt: server.clock.now(), lastAt: server.clock.now() };
  const alert = await server.database.prisma.alert.create({
    data: { hotelId: hotel.id, kind: "tamper", lockId, roomId, ...raised },
  });
  const exported = await server.database.prisma.export.create({
    data: {
      hotelId: hotel.id,
      operatorId: owner.id,
      list: "guests",
      format: "csv",
      fileName: `${mark}.csv`,
      request: {},
      state: "failed",
      createdAt: server.clock.now(),
    },
  });
  const { id: apiKeyId } = await api.integrations.createKey.mutate({
    name: `${mark} key`,
    scopes: ["rooms.view"],
    expiresAt: null,
  });
  const feed = { name: `${mark} calendar`, roomId, showsNames: false };
  const { id: calendarFeedId } = await api.calendarFeeds.make.mutate(feed);
  const webhook = { name: `${mark} webhook`, url: "https://8.8.8.8/hook", events: ["stay.checked_in" as const] };
  const { id: webhookId } = await api.integrations.saveWebhook.mutate(webhook);
  const { deliveryId } = await api.integrations.sendTest.mutate({ id: webhookId });
  await server.database.prisma.webhookDelivery.update({ where: { id: deliveryId }, data: { state: "failed" } });
  return {
    mark,
    hotel,
    owner,
    ownerDesk,
    clerk,
    ids: {
      hotelId: hotel.id,
      groupId,
      roomId,
      freeRoomId,
      customerId,
      stayId: stay.stayId,
      stayGuestId: stay.stayGuestId,
      entryId: stay.entryId,
      extraEntryId,
      withdrawalEntryId,
      guestMessageId,
      noteId,
      doorId,
      spareLockId,
      zoneId,
      cardId,
      masterCardId,
      lostCardId,
      reservedStayId: reserved.stayId,
      operatorId: colleague.id,
      staffId: clerk.id,
      grantId,
      guestId: (await api.stays.detail.query({ stayId: stay.stayId })).guests[0]?.guestId ?? 0,
      sessionId: session.id,
      fileId: file.id,
      passcodeId,
      faceId,
      faceGrantId: credentialIds[0] ?? 0,
      faceFileId,
      lockId,
      commandId,
      alertId: alert.id,
      exportId: exported.id,
      apiKeyId,
      calendarFeedId,
      webhookId,
      deliveryId,
      cardReaderId,
      deviceNo,
      avatarFileId,
      priceTemplateId,
    },
  };
}
