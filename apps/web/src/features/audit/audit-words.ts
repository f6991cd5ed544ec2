import type { Translate } from "@/lib/i18n.ts";

/** What the journal records, as the server names it. An action that isn't listed is shown by its name. */
const ACTIONS = [
  "card.confirm",
  "card.prepare",
  "card.profile",
  "card.revoke",
  "customer.create",
  "customer.freeze",
  "customer.unfreeze",
  "customer.update",
  "demo.seed",
  "file.store",
  "group.create",
  "group.remove",
  "group.update",
  "guest.add",
  "guest.remove",
  "guest.update",
  "hotel.create",
  "hotel.update",
  "operator.create",
  "operator.freeze",
  "operator.permit",
  "operator.setPassword",
  "operator.unfreeze",
  "operator.update",
  "order.deposit",
  "order.exchange",
  "order.payment",
  "order.refund",
  "order.renewal",
  "order.room",
  "password.change",
  "password.reset",
  "password.sendCode",
  "room.archive",
  "room.create",
  "room.group",
  "room.lock",
  "room.prices",
  "room.status",
  "room.update",
  "session.login",
  "session.logout",
  "session.refuse",
  "session.revoke",
  "session.setup",
  "session.switchHotel",
  "stay.arrive",
  "stay.cancel",
  "stay.change_room",
  "stay.check_in",
  "stay.check_out",
  "stay.renew",
  "stay.reserve",
  "stay.update",
] as const;

type Action = (typeof ACTIONS)[number];

function isAction(action: string): action is Action {
  return (ACTIONS as readonly string[]).includes(action);
}

/** "Checked a guest in" for "stay.check_in". */
export function actionWords(t: Translate, action: string): string {
  return isAction(action) ? t(`audit.action.${action}`) : action;
}
