import type { ErrorCode } from "@innkey/shared/errors";
import { z } from "zod";
import type { Visitor } from "../../domain/identity/login/visitor.ts";
import type { Services } from "../../domain/services.ts";
import type { Scope } from "../../kernel/scope.ts";

/** What a call gets besides its input. */
export interface Caller {
  visitor: Visitor;
  services: Services;
  /** "https://hotel.example": the origin under which the client reached the server */
  origin: string;
}

/** A caller with a valid token. */
export interface SignedInCaller extends Caller {
  scope: Scope;
  sessionId: string;
  /** The hotel's board version, read by the session query */
  boardVersion: string;
}

interface Described<I extends z.ZodRawShape, O extends z.ZodType> {
  /** One line for authors of clients */
  summary: string;
  input: I;
  output: O;
  /** The call changes something: an identical repeat within 2 s, or with the same `request_id`, gets errno 9000003. */
  changes?: true;
  /** Errors of this call, besides those of every call */
  errors?: readonly ErrorCode[];
  /** Wire names of a service's input fields where they differ from `WIRE_NAMES` (answers.ts), by path */
  names?: Readonly<Record<string, string>>;
  /** Accepts request bodies up to 8 MiB instead of 1 MiB, from callers with a session */
  large?: true;
}

/**
 * One call of the compatibility layer as data. The server serves it, the documentation prints it and the tests
 * enumerate it.
 */
export interface Endpoint extends Described<z.ZodRawShape, z.ZodType> {
  path: string;
  schema: z.ZodObject;
  open: boolean;
  run(caller: Caller | SignedInCaller, input: never): unknown;
}

type Answer<O extends z.ZodType> = z.input<O> | Promise<z.input<O>>;

/** Defines a call that needs a token. `path` has no "/manage/". */
export function call<I extends z.ZodRawShape, O extends z.ZodType>(
  path: string,
  described: Described<I, O> & { run(caller: SignedInCaller, input: z.output<z.ZodObject<I>>): Answer<O> },
): Endpoint {
  return { ...described, path: `/manage/${path}`, schema: schemaOf(described.input), open: false } as Endpoint;
}

/** Defines a call without a token: login and the steps before it. */
export function openCall<I extends z.ZodRawShape, O extends z.ZodType>(
  path: string,
  described: Described<I, O> & { run(caller: Caller, input: z.output<z.ZodObject<I>>): Answer<O> },
): Endpoint {
  return { ...described, path: `/manage/${path}`, schema: schemaOf(described.input), open: true } as Endpoint;
}

/** Returns a schema that ignores unknown fields. */
function schemaOf(shape: z.ZodRawShape): z.ZodObject {
  return z.object(shape);
}
