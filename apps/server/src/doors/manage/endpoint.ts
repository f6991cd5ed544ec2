import type { ErrorCode } from "@innkey/shared/errors";
import { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import type { Visitor } from "../../modules/auth/visitor.ts";
import type { Services } from "../../modules/services.ts";

/** What a call works with beside its input. */
export interface Caller {
  visitor: Visitor;
  services: Services;
  /** "https://hotel.example": where the client reached the server */
  origin: string;
}

/** A caller whom a token stands for. */
export interface SignedInCaller extends Caller {
  scope: Scope;
  sessionId: string;
}

interface Described<I extends z.ZodRawShape, O extends z.ZodType> {
  /** one line for whoever writes a client */
  summary: string;
  input: I;
  output: O;
  /** It changes something: an identical repeat within 2 s, or with the same `request_id`, is told 9000003. */
  changes?: true;
  /** what may come back beside the errors of every call */
  errors?: readonly ErrorCode[];
  /** wire names of a service's own input fields where they differ from `field-names.ts`, by path */
  names?: Readonly<Record<string, string>>;
  /** request bodies up to 8 MiB instead of 1 MiB, of whoever has a session */
  large?: true;
}

/** One call of the compatibility layer as data: what the door serves, the documentation prints and the tests walk. */
export interface Endpoint extends Described<z.ZodRawShape, z.ZodType> {
  path: string;
  schema: z.ZodObject;
  open: boolean;
  run(caller: Caller | SignedInCaller, input: never): unknown;
}

type Answer<O extends z.ZodType> = z.input<O> | Promise<z.input<O>>;

/** A call that needs a token. `path` without "/manage/". */
export function call<I extends z.ZodRawShape, O extends z.ZodType>(
  path: string,
  described: Described<I, O> & { run(caller: SignedInCaller, input: z.output<z.ZodObject<I>>): Answer<O> },
): Endpoint {
  return { ...described, path: `/manage/${path}`, schema: schemaOf(described.input), open: false } as Endpoint;
}

/** A call for anyone: login and what leads to it. */
export function openCall<I extends z.ZodRawShape, O extends z.ZodType>(
  path: string,
  described: Described<I, O> & { run(caller: Caller, input: z.output<z.ZodObject<I>>): Answer<O> },
): Endpoint {
  return { ...described, path: `/manage/${path}`, schema: schemaOf(described.input), open: true } as Endpoint;
}

/** Unknown fields are ignored. */
function schemaOf(shape: z.ZodRawShape): z.ZodObject {
  return z.object(shape);
}
