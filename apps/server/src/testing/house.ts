import type { Browser } from "./browser.ts";
import type { TestHotel, TestOperator } from "./people.ts";
import type { TestServer } from "./server.ts";

/** One of everything a hotel has, by id; every name in it contains `mark`. */
export interface House {
  mark: string;
  hotel: TestHotel;
  owner: TestOperator;
  ownerDesk: Browser;
  /** has every capability that can be granted, and no room */
  clerk: TestOperator;
  ids: HouseIds;
}

export interface HouseIds {
  hotelId: number;
  groupId: number;
  /** with guests in it */
  roomId: number;
  freeRoomId: number;
  customerId: number;
  stayId: number;
  manageId: number;
  orderId: number;
  cardId: number;
  reservedStayId: number;
  operatorId: number;
  sessionId: string;
  fileId: string;
}

const DAY_MS = 86_400_000;

/** Builds it as its owner would, through the console's calls. */
export async function furnish(server: TestServer, mark: string): Promise<House> {
  const hotel = await server.createHotel({ name: `${mark} hotel` });
  const owner = await server.createOperator(hotel, { role: "owner" });
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
      "orders.view",
      "orders.refund",
      "unlocks.view",
      "hotel.view",
    ],
  });
  const ownerDesk = await server.loginAs(owner);
  const { api } = ownerDesk;
  const { id: groupId } = await api.groups.save.mutate({ name: `${mark} group`, sort: 1 });
  const room = (name: string, mac: string) =>
    api.rooms.save.mutate({ name: `${mark} ${name}`, groupId, lock: { mac } });
  const { roomId } = await room("101", "02:00:00:00:01:01");
  const { roomId: freeRoomId } = await room("102", "02:00:00:00:01:02");
  const prices = { depositMinor: 10_000, usualMinor: 10_000, weekendMinor: 12_000 };
  await api.rooms.setPrices.mutate({ roomIds: [roomId, freeRoomId], prices });
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
  const reserved = await api.stays.reserve.mutate({ ...party, roomId: freeRoomId, startsAt: at(10), endsAt: at(12) });
  const { cardId } = await api.cards.prepare.mutate({ stayId: stay.stayId, uid: "DA3CBC66", note: mark });
  const colleague = await server.createOperator(hotel, { role: "administrator" });
  const second = await server.loginAs(owner);
  const session = (await second.api.auth.sessions.query()).find(({ current }) => current);
  if (!session) throw new Error("no session of one's own");
  const file = await server.database.prisma.storedFile.create({
    data: {
      hotelId: hotel.id,
      kind: "room",
      contentType: "image/webp",
      sizeBytes: 1,
      width: 1,
      height: 1,
      sha256: mark,
    },
  });
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
      manageId: stay.manageId,
      orderId: stay.orderId,
      cardId,
      reservedStayId: reserved.stayId,
      operatorId: colleague.id,
      sessionId: session.id,
      fileId: file.id,
    },
  };
}
