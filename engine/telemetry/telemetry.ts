import {
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
} from "@opentelemetry/api";

/** Name of our instrumentation: whoever exports spans exports those of this name and no others. Counters have it as well. */
export const SPAN_SCOPE = "onceboard";

/** W3C trace context: version, trace id, parent id, flags. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const SAMPLED = 1;
const HEX = 16;

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** What spans say. Never a key, a body, an account or a tenant: hashes, ids of ours and words of the glossary. */
export type SpanFacts = Readonly<Record<string, string | number | boolean | undefined>>;

/** The span of work under way; nothing is kept while nobody exports. */
export interface OpenSpan {
  /** False: nobody exports it, so that what it would be given need not be made. */
  readonly recorded: boolean;
  set(facts: SpanFacts): void;
  /** A better name than the one it began with. */
  rename(name: string): void;
  /** Marks it as failed, by a stable code and never by a message. */
  fail(code: string): void;
}

export interface SpanOptions {
  readonly kind?: keyof typeof KINDS;
  /** Asked for only when the span is kept. */
  readonly facts?: () => SpanFacts;
  /** Continues this trace instead of the one under way: a `traceparent` that came in a header or was kept with a message. */
  readonly parent?: string | undefined;
}

// Finds whoever is registered when it is first used; until then everything below does nothing.
const tracer = trace.getTracer(SPAN_SCOPE);

/**
 * Runs `work` in a span of its own; what `work` starts becomes its child. Costs nothing measurable while no SDK is registered
 * (cli/startup/tracing.ts does that, and only when OTEL_EXPORTER_OTLP_ENDPOINT is set).
 */
export function inSpan<T>(name: string, options: SpanOptions, work: (span: OpenSpan) => Promise<T>): Promise<T> {
  return spansAreKept() ? spanned(name, options, work) : work(NO_SPAN);
}

const NO_SPAN: OpenSpan = { recorded: false, set: () => undefined, rename: () => undefined, fail: () => undefined };

/** @returns false while no SDK is registered: a span would be made only to be thrown away, some microseconds each */
export function spansAreKept(): boolean {
  // The API's own stand-in for a provider has this; a real one, set in its place, has not.
  const provider = trace.getTracerProvider() as { getDelegateTracer?: (name: string) => unknown };
  return provider.getDelegateTracer === undefined || provider.getDelegateTracer(SPAN_SCOPE) !== undefined;
}

async function spanned<T>(name: string, options: SpanOptions, work: (span: OpenSpan) => Promise<T>): Promise<T> {
  const parent = options.parent === undefined ? context.active() : continued(options.parent);
  return tracer.startActiveSpan(name, { kind: KINDS[options.kind ?? "internal"] }, parent, async (span) => {
    const open = openSpan(span);
    if (span.isRecording() && options.facts !== undefined) open.set(options.facts());
    try {
      return await work(open);
    } catch (error) {
      open.fail(codeOf(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** @returns the `traceparent` that names the span under way, for a header or to be kept; undefined outside of any. */
export function currentTraceparent(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  if (span === undefined || !isSpanContextValid(span)) return undefined;
  const flags = (span.traceFlags & TraceFlags.SAMPLED) === 0 ? "00" : "01";
  return `00-${span.traceId}-${span.spanId}-${flags}`;
}

/** @returns the header for a call that continues the trace under way, or none. */
export function traceHeaders(): { readonly traceparent?: string } {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? {} : { traceparent };
}

/** @returns a `traceparent` as it came when it is a good one; the standard says to ignore a bad one. */
export function goodTraceparent(text: unknown): string | undefined {
  return typeof text === "string" && parse(text) !== undefined ? text : undefined;
}

/** @returns the trace id of a `traceparent`, 32 hex, or undefined for none or a bad one. */
export function traceIdIn(traceparent: string | undefined): string | undefined {
  return traceparent === undefined ? undefined : parse(traceparent)?.traceId;
}

function parse(traceparent: string): { traceId: string; spanId: string; traceFlags: number } | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  const parsed = { traceId, spanId, traceFlags: Number.parseInt(flags ?? "0", HEX) & SAMPLED };
  return isSpanContextValid(parsed) ? parsed : undefined;
}

function continued(traceparent: string): Context {
  const remote = parse(traceparent);
  return remote === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
}

function openSpan(span: Span): OpenSpan {
  return {
    recorded: span.isRecording(),
    set(facts) {
      if (!span.isRecording()) return;
      const attributes: Attributes = {};
      for (const [name, value] of Object.entries(facts)) if (value !== undefined) attributes[name] = value;
      span.setAttributes(attributes);
    },
    rename: (name) => void span.updateName(name),
    fail(code) {
      span.setAttributes({ "error.type": code });
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
  };
}

/** Codes of ours and of the system are stable; a message may quote what somebody sent. */
function codeOf(error: unknown): string {
  if (typeof error === "object" && error !== null && "code" in error && typeof error.code === "string")
    return error.code;
  return error instanceof Error ? error.name : "unknown";
}
