/**
 * Names on the wire for the field names of services. The last part of a path counts ("guests.0.birthDate" is "birth").
 * Names that aren't listed become snake case: "roomIds" is "room_ids".
 */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  account: "mobile",
  startsAt: "check_in_time",
  endsAt: "check_out_time",
  birthDate: "birth",
  documentType: "id_type",
  documentNumber: "id_number",
  uid: "card_num",
  number: "card_num",
  cardNote: "cardNote",
  validFrom: "start",
  validTo: "end",
  agreedTotalMinor: "price",
  depositMinor: "deposit",
  usualMinor: "usual_price",
  weekendMinor: "weekend_price",
  renewalMinor: "renew_price",
  hourMinor: "hour_price",
  monthMinor: "month_price",
  yearMinor: "year_price",
  priceMinor: "price",
  amountMinor: "amount",
  dates: "special",
  faceId: "faceId",
  mac: "mac_id",
  timeZone: "timezone",
  weekendNights: "weekend_days",
  operatorId: "user_id",
  refundsEntryId: "order_id",
  person: "name",
  code: "password",
};

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function wireName(path: string, names: Readonly<Record<string, string>> = {}): string {
  const own = names[path];
  if (own !== undefined) return own;
  const last = path.split(".").findLast((part) => !/^\d*$/.test(part)) ?? path;
  return names[last] ?? WIRE_NAMES[last] ?? snake(last);
}
