import { DomainError } from "@innkey/shared/errors";
import * as s from "@innkey/shared/schemas/access/card-readers";
import { v } from "@innkey/shared/schemas/fields";
import { z } from "zod";
import * as cardReaders from "../../../domain/access/card-readers/card-readers.service.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";

const { out } = f;
const readerInput = s.cardReaderInput.omit({ note: true });

/** Returns the assigned person of a card reader. @throws invalid_input if both a user and a customer are given */
function holderOf(userId: number | undefined, customerId: number | undefined): s.CardReaderHolder | null {
  if (userId !== undefined && customerId !== undefined) {
    throw new DomainError("invalid_input", {}, { customer_id: { key: v.unknown } });
  }
  if (userId !== undefined) return { kind: "operator", id: userId };
  return customerId === undefined ? null : { kind: "customer", id: customerId };
}

/** Calls for card readers and dispensers. */
export const cardReadersCalls = [
  call("cardDispenser/add", {
    summary:
      "Registers a card reader by the number it reports; with `id`, changes one. `user_id` or `customer_id`, not both, assigns it; without either the assignment is unchanged.",
    changes: true,
    input: {
      id: f.id().optional(),
      device_no: f.name(64, "A1-07"),
      name: f.name(80, "Front desk"),
      type: f.int(1, 3, 1),
      user_id: f.id(5).optional(),
      customer_id: f.id(9).optional(),
    },
    output: z.strictObject({ id: out.id() }),
    errors: ["device_taken"],
    async run({ scope }, { id, device_no: deviceNo, name, type, user_id, customer_id }) {
      const holder = holderOf(user_id, customer_id);
      return cardReaders.saveFor(scope, readerInput.parse({ id, deviceNo, name, type }), holder);
    },
  }),
  call("cardDispenser/lists", {
    summary: "The card readers by name, with the person they are assigned to.",
    input: f.paging,
    output: f.listOf({
      id: out.id(),
      device_no: out.text("A1-07"),
      name: out.text("Front desk"),
      type: out.int(1),
      user_id: out.id(5).nullable(),
      user_name: out.text("Ann Lee"),
      customer_id: out.id(9).nullable(),
      customer_name: out.text(),
      online: out.flag(),
      last_seen: out.time().nullable(),
    }),
    async run({ scope }, input) {
      const { rows, total } = await cardReaders.list(scope, s.cardReaderListInput.parse(f.pageOf(input)));
      const list = rows.map(({ holders, ...row }) => {
        // Old clients know one holder: the first.
        const [holder] = holders;
        const user = holder?.kind === "operator" ? holder : null;
        const customer = holder?.kind === "customer" ? holder : null;
        return {
          id: row.id,
          device_no: row.deviceNo,
          name: row.name,
          type: row.type,
          user_id: user?.id ?? null,
          user_name: user?.name ?? "",
          customer_id: customer?.id ?? null,
          customer_name: customer?.name ?? "",
          online: f.bit(row.online),
          last_seen: f.optionalSeconds(row.lastSeenAt),
        };
      });
      return f.pageAnswer(list, total, input);
    },
  }),
  call("cardDispenser/checkStatus", {
    summary: "Whether a card reader is online, and whether it is assigned to a person.",
    input: { device_no: f.name(64, "A1-07") },
    output: z.strictObject({ online: out.flag(), last_seen: out.time().nullable(), bound: out.flag() }),
    async run({ scope }, { device_no }) {
      const { deviceNo } = s.cardReaderNumberInput.parse({ deviceNo: device_no });
      const { online, lastSeenAt, bound } = await cardReaders.checkStatus(scope, deviceNo);
      return { online: f.bit(online), last_seen: f.optionalSeconds(lastSeenAt), bound: f.bit(bound) };
    },
  }),
];
