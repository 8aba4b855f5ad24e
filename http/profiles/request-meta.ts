import type { Context } from "hono";
import { traceIdIn } from "@/engine/telemetry/telemetry";

const MINIMAL = /(?:^|,)[ \t]*return[ \t]*=[ \t]*"?minimal"?[ \t]*(?:[;,]|$)/i;

/** What of a request's variables is read. Not all of them: the package's types would reach everything that a process holds. */
interface MetaVariables {
  readonly Variables: {
    readonly requestId: string;
    readonly traceparent: string | undefined;
    readonly keyEcho: string | undefined;
    readonly unkeyed?: boolean;
  };
}

/** @returns what the rendering of this request's answer depends on. */
export function requestMetaOf<Env extends MetaVariables>(c: Context<Env>): RequestMeta {
  const prefer = c.req.header("prefer");
  return {
    requestId: c.get("requestId"),
    traceId: traceIdIn(c.get("traceparent")),
    keyEcho: c.get("keyEcho"),
    unkeyed: c.get("unkeyed") ?? false,
    minimal: wantsMinimal(prefer),
  };
}

/** @param prefer the header `Prefer` @returns whether it asks for `return=minimal` */
export function wantsMinimal(prefer: string | undefined): boolean {
  return prefer !== undefined && MINIMAL.test(prefer);
}

/** What a profile needs to know of a request besides the decision. */
export interface RequestMeta {
  readonly requestId: string;
  /** Of the caller's `traceparent` when there is a good one, or of our own trace while spans are exported. */
  readonly traceId: string | undefined;
  /** The key as it was sent, or as it was made; absent where none was needed or none was good. */
  readonly keyEcho: string | undefined;
  /** No key was sent, and the policy let it run all the same. */
  readonly unkeyed?: boolean;
  /** `Prefer: return=minimal`: the body of a success is left out, on the first answer and on every replay. */
  readonly minimal: boolean;
}
