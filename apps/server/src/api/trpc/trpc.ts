import type { Capability } from "@innkey/shared/capabilities";
import { DomainError, ERRORS, type ErrorPayload, fieldMessages } from "@innkey/shared/errors";
import { initTRPC, TRPCError } from "@trpc/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ZodError, type ZodType, type z } from "zod";
import { histogram } from "../../adapters/telemetry/metrics.ts";
import { runInSpan } from "../../adapters/telemetry/tracing.ts";
import type { Visitor } from "../../domain/identity/login/visitor.ts";
import type { Site } from "../../domain/identity/two-step/factors.ts";
import type { Services } from "../../domain/services.ts";
import { asDomainError } from "../../kernel/errors.ts";
import { JsonText } from "../../kernel/json-text.ts";
import type { Scope } from "../../kernel/scope.ts";
import type { SessionCookie } from "../http/session-cookie.ts";

/**
 * Context of every procedure. `scope` is null without a live session or key; then `sessionEnd` tells how a session
 * ended and `keyRefusal` why a key was refused. `sessionId` is null for programs with a key.
 */
export interface RequestContext {
  scope: Scope | null;
  /**
   * Scope of a caller who must first choose a password or set up a second factor; `sessionEnd` tells which
   * (domain/identity/login/sessions.ts)
   */
  limited: Scope | null;
  sessionEnd: "session_expired" | "session_revoked" | "password_due" | "two_step_due" | null;
  keyRefusal: DomainError | null;
  sessionId: string | null;
  /** The hotel's board version, read by the session query */
  boardVersion: string | null;
  /** The database's snapshot in which the caller was found (kernel/kept-answers.ts) */
  snapshot: string | null;
  visitor: Visitor;
  /** Site under which the browser sees the console; null if passkeys don't work there */
  site: Site | null;
  cookie: SessionCookie;
  services: Services;
  requestId: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Returns the scope of the operator or program. @throws the reason of the refusal */
export function callerScope({ scope, sessionEnd, keyRefusal }: RequestContext): Scope {
  if (!scope) throw keyRefusal ?? new DomainError(sessionEnd ?? "session_missing");
  return scope;
}

/** Measured per procedure, because one request may carry several. */
const procedureSeconds = histogram(
  {
    name: "procedure_duration_seconds",
    help: "How long a procedure of the console took",
    labels: ["procedure", "outcome"],
  },
  [0.005, 0.02, 0.05, 0.1, 0.25, 1, 5, 40],
);

/** Returns an error as the console receives it; the cause is only logged. */
export function payloadOf(cause: unknown, requestId: string): ErrorPayload {
  if (cause instanceof ZodError) return { code: "invalid_input", fields: fieldMessages(cause.issues), requestId };
  if (cause instanceof DomainError) return { code: cause.code, params: cause.params, fields: cause.fields, requestId };
  return { code: "internal", requestId };
}

/** What the permissions page says about a procedure or route. */
export interface Opened {
  /** The capability that the service requires first; of several, which one depends on the input. */
  capability: Capability | readonly Capability[];
  /** Name of what it does, in the texts under `staff.act`; procedures of one act share it. None for reads. */
  act?: string | undefined;
}

const t = initTRPC
  .context<RequestContext>()
  .meta<Opened>()
  .create({
    errorFormatter({ shape, error, ctx }) {
      // An output that breaks its contract is a server error, although it fails with a ZodError like an input.
      const ours = error.code === "INTERNAL_SERVER_ERROR" && error.cause instanceof ZodError;
      const innkey = payloadOf(ours ? error : (error.cause ?? error), ctx?.requestId ?? "");
      // tRPC's own refusals: a path, method, body or content type that no procedure accepts.
      if (innkey.code === "internal" && shape.data.httpStatus < 500) {
        innkey.code = error.code === "NOT_FOUND" ? "not_found" : "invalid_input";
      }
      return {
        ...shape,
        message: innkey.code,
        data: { code: shape.data.code, httpStatus: shape.data.httpStatus, innkey },
      };
    },
  });

const TRPC_CODES = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  421: "FORBIDDEN",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_SERVER_ERROR",
  502: "BAD_GATEWAY",
  503: "SERVICE_UNAVAILABLE",
} as const satisfies Record<(typeof ERRORS)[keyof typeof ERRORS]["http"], TRPCError["code"]>;

/** Converts a domain or database error to a tRPC error with its status; returns other errors unchanged. */
export function toTrpcError(error: unknown): unknown {
  const cause = asDomainError(error);
  if (!(cause instanceof DomainError)) return error;
  return new TRPCError({ code: TRPC_CODES[ERRORS[cause.code].http], message: cause.code, cause });
}

const domainErrors = t.middleware(async ({ next }) => {
  const result = await next();
  if (!result.ok && result.error.code === "INTERNAL_SERVER_ERROR" && !(result.error.cause instanceof ZodError)) {
    const replaced = toTrpcError(result.error.cause);
    if (replaced instanceof TRPCError) throw replaced;
  }
  return result;
});

/** Measures procedures. Only existing procedures get here, so the number of labels is limited. */
const observed = t.middleware(async ({ path, next }) => {
  const startedAt = performance.now();
  const result = await runInSpan(`procedure ${path}`, { "innkey.procedure": path }, () => next());
  const outcome = result.ok ? "answered" : result.error.code === "INTERNAL_SERVER_ERROR" ? "failed" : "refused";
  procedureSeconds.observe({ procedure: path, outcome }, (performance.now() - startedAt) / 1000);
  return result;
});

export const router = t.router;

/**
 * Makes an output one text of JSON. A procedure may also return the text, which PostgreSQL shaped, and nobody parses
 * it.
 */
export function jsonOutput<Schema extends ZodType>(schema: Schema) {
  const parse = (value: unknown): JsonText =>
    value instanceof JsonText ? value : new JsonText(JSON.stringify(schema.parse(value)));
  type Input = z.input<Schema>;
  return { parse, schema } as unknown as {
    _input: JsonText<Input> | Input;
    _output: z.output<Schema>;
    parse: typeof parse;
    schema: Schema;
  };
}

const answered = t.procedure.use(observed).use(domainErrors);

/** For anyone at the console: login, recovery, first set-up. Programs with a key are refused. */
export const open = answered.use(({ ctx, next }) => {
  if (ctx.keyRefusal) throw ctx.keyRefusal;
  if (ctx.scope?.actor.kind === "key") throw new DomainError("no_permission");
  return next();
});

/** For a logged-in operator or a program with a key; the service checks permissions. */
export const signedIn = answered.use(({ ctx, next }) => {
  const scope = callerScope(ctx);
  // The query that finds the caller reads it too.
  const { boardVersion, snapshot } = ctx;
  if (boardVersion === null || snapshot === null) throw new DomainError("session_missing");
  return next({ ctx: { ...ctx, scope, boardVersion, snapshot } });
});

/** As `signedIn`, and says what the service requires. A test compares it with what the service does require. */
export const withPermission = (capability: Opened["capability"], act?: string) => signedIn.meta({ capability, act });

/** Longer inputs are rare, and not kept. */
const MAX_KEPT_INPUT = 1_000;

/**
 * As `withPermission`, for the most frequent reads: their answer is kept until something changes. It must depend on
 * nothing but the database, the input, the clock, and what the caller may see and in which language.
 */
export const keptRead = (capability: Capability) =>
  withPermission(capability).use(async ({ ctx, path, getRawInput, next }) => {
    const question = `${path} ${JSON.stringify(await getRawInput()) ?? ""}`;
    if (question.length > MAX_KEPT_INPUT) return next();
    return ctx.services.keptAnswers.answer(ctx.scope, ctx.snapshot, question, async () => {
      const answer = await next();
      const data = answer.ok ? answer.data : null;
      return { answer, characters: data instanceof JsonText ? data.text.length : null };
    });
  });

/** For the caller's own session; programs have none. */
export const inSession = open.use(({ ctx, next }) => {
  const scope = callerScope(ctx);
  const { sessionId } = ctx;
  if (sessionId === null) throw new DomainError("no_permission");
  return next({ ctx: { ...ctx, scope, sessionId } });
});

/** As `inSession`, and also for callers whose session is limited for this reason. */
const alsoWhile = (due: "password_due" | "two_step_due") =>
  open.use(({ ctx, next }) => {
    const { limited, sessionEnd, sessionId } = ctx;
    const scope = sessionEnd === due && limited ? limited : callerScope(ctx);
    if (sessionId === null) throw new DomainError("no_permission");
    return next({ ctx: { ...ctx, scope, sessionId } });
  });

/** Also for callers who must choose a password first. */
export const choosingPassword = alsoWhile("password_due");

/** Concerns the caller's own second factor; also for callers who must set it up first. */
export const settingUp = alsoWhile("two_step_due");
