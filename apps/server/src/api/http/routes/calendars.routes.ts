import { DomainError } from "@innkey/shared/errors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Services } from "../../../domain/services.ts";
import { CALENDAR_PATH, type Calendar } from "../../../domain/stays/public.ts";
import { anyone, registerRoute } from "../route-contract.ts";

const CALENDAR = {
  method: "GET",
  url: `${CALENDAR_PATH}:file`,
  params: z.object({ file: z.string().max(100) }),
  names: ["params"],
  hasSecretPath: true,
  answers: { 200: { contentTypes: ["text/calendar"] }, 304: null },
} as const;

/** Registers the calendars of busy periods, /api/calendars/<secret>.ics, for calendar programs and channel sites. */
export function registerCalendarRoutes(app: FastifyInstance, { calendars }: Pick<Services, "calendars">): void {
  registerRoute(app, CALENDAR, {
    authenticate: anyone,
    async handle({ params: { file }, request, reply }) {
      const [, token] = /^(.+)\.ics$/.exec(file) ?? [];
      if (token === undefined) throw new DomainError("not_found");
      const calendar = await calendars.read(token, request.ip);
      reply
        .header("cache-control", "private, no-cache")
        .header("x-robots-tag", "noindex")
        .header("etag", calendar.etag)
        .header("last-modified", calendar.changedAt.toUTCString());
      if (isKnown(request, calendar)) return reply.code(304).send();
      return reply
        .header("content-disposition", 'inline; filename="calendar.ics"')
        .type("text/calendar; charset=utf-8")
        .send(calendar.text);
    },
  });
}

/** Checks whether the program has this content already (source: RFC 9110, section 13.2.2). */
function isKnown({ headers }: FastifyRequest, { etag, changedAt }: Calendar): boolean {
  const tags = headers["if-none-match"];
  const plain = (tag: string): string => tag.trim().replace(/^W\//, "");
  if (tags !== undefined) return tags.split(",").some((tag) => tag.trim() === "*" || plain(tag) === plain(etag));
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return Math.floor(changedAt.getTime() / 1000) * 1000 <= since;
}
