import { languageOf } from "@innkey/shared/languages";
import { commandQueued, commandRef } from "@innkey/shared/schemas/access/locks";
import { guestPage } from "@innkey/shared/schemas/overview/guest-page";
import {
  guestActDone,
  guestCheckInOutcome,
  guestLateInput,
  guestProofInput,
  guestProofOutcome,
  guestTokenInput,
} from "@innkey/shared/schemas/stays/guest-links";
import { MAX_GUEST_PICTURE_CHARACTERS, preCheckInInput } from "@innkey/shared/schemas/stays/pre-check-in";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { checkInGuest } from "../../domain/desk/guest-arrival.ts";
import { askLateCheckOut, checkOutGuest } from "../../domain/desk/guest-departure.ts";
import { sendPreCheckIn } from "../../domain/desk/pre-check-in.ts";
import { readGuestPage } from "../../domain/overview/public.ts";
import type { Services } from "../../domain/services.ts";
import { type GuestVisit, type GuestVisitor, prove } from "../../domain/stays/public.ts";
import { anyone, registerRoute } from "../http/route-contract.ts";
import { clearDeviceToken, readDeviceToken, writeDeviceToken } from "./guest-cookie.ts";

/** The details, a signature and a photo. */
const MAX_PICTURES_BYTES = 2 * MAX_GUEST_PICTURE_CHARACTERS + 16 * 1024;

const post = (url: string) => ({ method: "POST", url }) as const;
const PAGE = { ...post("/api/page"), body: guestTokenInput, answers: { 200: guestPage } } as const;
const PROOF = { ...post("/api/proof"), body: guestProofInput, answers: { 200: guestProofOutcome } } as const;
const FORGET = { ...post("/api/forget"), body: guestTokenInput, answers: { 200: guestActDone } } as const;
const OPEN = { ...post("/api/open"), body: guestTokenInput, answers: { 200: commandQueued } } as const;
const OPENING = {
  ...post("/api/opening"),
  body: guestTokenInput.extend(commandRef.shape),
  answers: { 200: commandQueued },
} as const;

const LATE = { ...post("/api/late"), body: guestLateInput, answers: { 200: guestActDone } } as const;
const PRE_CHECK_IN = { ...post("/api/pre-check-in"), body: preCheckInInput, answers: { 200: guestActDone } } as const;
const CHECK_IN = { ...post("/api/check-in"), body: guestTokenInput, answers: { 200: guestCheckInOutcome } } as const;
const CHECK_OUT = { ...post("/api/check-out"), body: guestTokenInput, answers: { 200: guestActDone } } as const;

/** What a guest's page reads and does. The link's secret is in the body, so that no log has it. */
export function registerGuestRoutes(app: FastifyInstance, services: Services, guestUrl: string): void {
  const visitorOf = (request: FastifyRequest): GuestVisitor => ({
    address: request.ip,
    requestId: request.id,
    language: languageOf(request.headers["accept-language"]?.split(/[,;]/)[0] ?? null).code,
    deviceToken: readDeviceToken(request, guestUrl),
  });
  const enter = (request: FastifyRequest, token: string): Promise<GuestVisit> =>
    services.guestEntrance.enter(token, visitorOf(request));
  const enterToAsk = (request: FastifyRequest, token: string): Promise<GuestVisit> =>
    services.guestEntrance.enterToAsk(token, visitorOf(request));

  function keepDevice(
    request: FastifyRequest,
    reply: FastifyReply,
    visit: GuestVisit,
    token: string | undefined,
  ): void {
    if (token === undefined) return;
    const maxAge = Math.ceil((visit.recognisedUntil.getTime() - visit.scope.now().getTime()) / 1000);
    writeDeviceToken(request, reply, { token, maxAge }, guestUrl);
  }

  registerRoute(app, PAGE, {
    authenticate: anyone,
    async handle({ request, reply, body }) {
      const visit = await enter(request, body.token);
      // The stay may have become longer or shorter since.
      if (visit.proven) keepDevice(request, reply, visit, readDeviceToken(request, guestUrl));
      return readGuestPage(visit);
    },
  });
  registerRoute(app, PROOF, {
    authenticate: anyone,
    async handle({ request, reply, body }) {
      const visit = await enter(request, body.token);
      const { outcome, deviceToken } = await prove(visit, body.answer, readDeviceToken(request, guestUrl));
      keepDevice(request, reply, visit, deviceToken);
      return { outcome };
    },
  });
  registerRoute(app, FORGET, {
    authenticate: anyone,
    async handle({ request, reply, body }) {
      // Server and browser forget also where the link is no longer valid.
      clearDeviceToken(request, reply, guestUrl);
      await services.guestEntrance.forget(readDeviceToken(request, guestUrl));
      await enter(request, body.token);
      return { done: true as const };
    },
  });
  registerRoute(app, OPEN, {
    authenticate: anyone,
    handle: async ({ request, body }) => services.guestDoors.open(await enter(request, body.token)),
  });
  registerRoute(app, OPENING, {
    authenticate: anyone,
    handle: async ({ request, body }) =>
      services.guestDoors.readState(await enter(request, body.token), body.commandId),
  });
  registerRoute(app, LATE, {
    authenticate: anyone,
    async handle({ request, body }) {
      await askLateCheckOut(await enterToAsk(request, body.token), body.time);
      return { done: true as const };
    },
  });
  const mayIncludePictures = (request: FastifyRequest): Promise<boolean> =>
    services.guestEntrance.admitsLargeBody(readDeviceToken(request, guestUrl));
  registerRoute(app, PRE_CHECK_IN, {
    options: { bodyLimit: MAX_PICTURES_BYTES, config: { maySendMore: mayIncludePictures } },
    authenticate: anyone,
    async handle({ request, body }) {
      const visit = await enterToAsk(request, body.token);
      if (body.signature !== null || body.document !== null) await services.guestEntrance.countPictures(visit);
      await sendPreCheckIn(visit, body);
      return { done: true as const };
    },
  });
  registerRoute(app, CHECK_IN, {
    authenticate: anyone,
    handle: async ({ request, body }) => ({ outcome: await checkInGuest(await enterToAsk(request, body.token)) }),
  });
  registerRoute(app, CHECK_OUT, {
    authenticate: anyone,
    async handle({ request, body }) {
      await checkOutGuest(await enter(request, body.token));
      return { done: true as const };
    },
  });
}
