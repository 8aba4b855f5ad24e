import { z } from "zod";
import { ROLES, type Role } from "./idempotency/states";

/** Everything the processes read from the environment, checked once at start. `.env.example` lists it. */
export interface Config {
  /** `postgres://…` */
  readonly databaseUrl: string;
  readonly port: number;
  /** Where embedded data and generated secrets are kept. */
  readonly dataDir: string;
  /** Origin under which people reach the console, without a slash at its end. */
  readonly publicUrl: string;
  /** Signs sessions and keys the fingerprints. */
  readonly secret: string;
  /** Entries `id:base64 of 32 bytes` separated by commas; the first seals, all open. */
  readonly encryptionKeys: string;
  readonly sandboxPort: number;
  readonly provider: "sandbox" | "stripe";
  readonly leaseSeconds: number;
  readonly idempotencyTtlHours: number;
  readonly bodyTtlHours: number;
  readonly metadataTtlDays: number;
  readonly workerIntervalMs: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly providerTimeoutMs: number;
  /** Longest work on a request whose caller says nothing else by `X-Request-Timeout`; longer than the provider may take. */
  readonly requestTimeoutMs: number;
  /** Where this deployment stands; a tenant whose home is elsewhere is refused here. */
  readonly region: string;
  /** Needed by PROVIDER=stripe. */
  readonly stripeSecretKey: string | undefined;
  /** Origin of a Stripe-compatible API; the real one by default. */
  readonly stripeApiBase: string | undefined;
  /** `nats://…`; without it no topic can travel by NATS. */
  readonly natsUrl: string | undefined;
  /** `amqp://…`; without it no topic can travel by RabbitMQ. */
  readonly rabbitmqUrl: string | undefined;
  /** What carries a topic of which no operator said otherwise. */
  readonly outboxTransport: (typeof OUTBOX_TRANSPORTS)[number];
  /** `smtp://user:password@host:587` or `smtps://…`; without it mails are files in DATA_DIR/mail. */
  readonly smtpUrl: string | undefined;
  /** Sender of all mails, `Name <user@host>` or `user@host`. */
  readonly mailFrom: string;
  /** Merchants' webhooks may go to plain http and to addresses inside: for demos and tests only. */
  readonly webhookAllowPrivate: boolean;
  /** Where spans go (OTLP over HTTP), e.g. `http://localhost:4318`; none are made without it. */
  readonly otlpEndpoint: string | undefined;
  /** Where a worker shows its own metrics; nowhere without it. */
  readonly workerMetricsPort: number | undefined;
  /** Undefined: people sign in here only. */
  readonly oidc: OidcConfig | undefined;
}

/** An OpenID Connect issuer by which people may sign in. */
export interface OidcConfig {
  /** As its discovery document names itself, without a slash at its end. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** "Sign in with …". */
  readonly name: string;
  /** Claim of the ID token that names the role, at each sign-in; without it a role is changed here. */
  readonly roleClaim: string | undefined;
  /** Of somebody who is no operator yet and whose claim names no role; `none` keeps them out. */
  readonly defaultRole: Role | "none";
}

/** What is known before there is a database: `npm start` brings the rest with it. */
export type StartConfig = Omit<Config, NeededWithDatabase> & {
  readonly [Name in NeededWithDatabase]: string | undefined;
};

type NeededWithDatabase = "databaseUrl" | "secret" | "encryptionKeys";
export type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
const OUTBOX_TRANSPORTS = ["http", "nats", "rabbitmq"] as const;
/** No line break can get into a header by it. */
const MAIL_FROM = /^(?:[^<>@\r\n]{0,100}<[^<>@\s]{1,64}@[A-Za-z0-9.-]{1,255}>|[^<>@\s]{1,64}@[A-Za-z0-9.-]{1,255})$/;
const DEFAULT_MAIL_FROM = "receipts@localhost";
const PROVIDERS = ["sandbox", "stripe"] as const;
const MAX_PORT = 65_535;
const MIN_SECRET_LENGTH = 32;
/** Bounds of a request's time: with less, outcomes would only become unknown. */
export const [MIN_REQUEST_TIMEOUT_MS, MAX_REQUEST_TIMEOUT_MS] = [250, 600_000] as const;
const [DEFAULT_REQUEST_TIMEOUT_MS, OWN_WORK_MS] = [30_000, 5_000] as const;
const [MS_PER_SECOND, HOURS_PER_DAY] = [1_000, 24] as const;
/** `id:` and 32 bytes in base64. */
const ENCRYPTION_KEY = /^[A-Za-z0-9_-]{1,64}:[A-Za-z0-9+/]{43}=?$/;

/** A whole number within bounds; the sentence names both bounds, never the value. */
function whole(min: number, max: number, fallback: number): z.ZodType<number> {
  const text = `must be a whole number from ${String(min)} to ${String(max)}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, text)
    .transform(Number)
    .refine((value) => value >= min && value <= max, text)
    .optional()
    .transform((value) => value ?? fallback);
}

function hasProtocol(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

const webOrigin = z
  .string()
  .refine((text) => hasProtocol(text, ["http:", "https:"]), "must be a URL that begins with http:// or https://")
  .transform((text) => new URL(text).origin);

/** As a collector's own documents have it: a path may follow the origin. */
const webAddress = z
  .string()
  .refine((text) => hasProtocol(text, ["http:", "https:"]), "must be a URL that begins with http:// or https://")
  .transform((text) => text.replace(/\/+$/, ""));

function brokerAddress(protocols: readonly string[]): z.ZodString {
  return z
    .string()
    .refine((text) => hasProtocol(text, protocols), `must be a URL that begins with ${protocols.join("// or ")}//`);
}

const environmentSchema = z.object({
  DATABASE_URL: z
    .string()
    .refine((text) => hasProtocol(text, ["postgres:", "postgresql:"]), "must be a URL that begins with postgres://")
    .optional(),
  PORT: whole(1, MAX_PORT, 3000),
  DATA_DIR: z.string().default(".onceboard"),
  PUBLIC_URL: webOrigin.optional(),
  SECRET: z
    .string()
    .min(MIN_SECRET_LENGTH, `must have at least ${String(MIN_SECRET_LENGTH)} characters`)
    .optional(),
  ENCRYPTION_KEYS: z
    .string()
    .refine(
      (text) => text.split(",").every((entry) => ENCRYPTION_KEY.test(entry.trim())),
      "must be a list of id:base64, each of 32 bytes, separated by commas",
    )
    .optional(),
  SANDBOX_PORT: whole(1, MAX_PORT, 3900),
  PROVIDER: z.enum(PROVIDERS, `must be one of ${PROVIDERS.join(", ")}`).default("sandbox"),
  LEASE_SECONDS: whole(1, 3_600, 30),
  IDEMPOTENCY_TTL_HOURS: whole(1, 8_760, 24),
  BODY_TTL_HOURS: whole(1, 8_760, 72),
  METADATA_TTL_DAYS: whole(1, 3_650, 90),
  WORKER_INTERVAL_MS: whole(20, 3_600_000, 1_000),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
  PROVIDER_TIMEOUT_MS: whole(50, 600_000, 10_000),
  REQUEST_TIMEOUT_MS: whole(MIN_REQUEST_TIMEOUT_MS, MAX_REQUEST_TIMEOUT_MS, 0),
  REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, "must be 1 to 32 lower-case letters, digits or dashes")
    .default("local"),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_API_BASE: webOrigin.optional(),
  NATS_URL: brokerAddress(["nats:", "tls:"]).optional(),
  RABBITMQ_URL: brokerAddress(["amqp:", "amqps:"]).optional(),
  OUTBOX_TRANSPORT: z.enum(OUTBOX_TRANSPORTS, `must be one of ${OUTBOX_TRANSPORTS.join(", ")}`).default("http"),
  SMTP_URL: brokerAddress(["smtp:", "smtps:"]).optional(),
  MAIL_FROM: z
    .string()
    .regex(MAIL_FROM, "must be an address such as receipts@example.com, or Name <address>")
    .optional(),
  WEBHOOK_ALLOW_PRIVATE: z.enum(["true", "false"], "must be true or false").default("false"),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
  WORKER_METRICS_PORT: whole(0, MAX_PORT, 0),
  OIDC_ISSUER: webAddress.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(40, "must have at most 40 characters").optional(),
  OIDC_ROLE_CLAIM: z.string().max(200, "must have at most 200 characters").optional(),
  OIDC_DEFAULT_ROLE: z.enum([...ROLES, "none"], `must be one of ${ROLES.join(", ")}, none`).default("viewer"),
});

type Raw = z.output<typeof environmentSchema>;

/** @returns what is wrong between values that are each in order. */
function contradictions(raw: Raw): string[] {
  const problems: string[] = [];
  // A lease that ends during a provider call would let recovery start while the owner still waits for its answer.
  if (raw.LEASE_SECONDS * MS_PER_SECOND <= raw.PROVIDER_TIMEOUT_MS) {
    problems.push("LEASE_SECONDS must be longer than PROVIDER_TIMEOUT_MS");
  }
  if (raw.REQUEST_TIMEOUT_MS !== 0 && raw.REQUEST_TIMEOUT_MS <= raw.PROVIDER_TIMEOUT_MS)
    problems.push("REQUEST_TIMEOUT_MS must be longer than PROVIDER_TIMEOUT_MS");
  if (raw.BODY_TTL_HOURS > raw.METADATA_TTL_DAYS * HOURS_PER_DAY) {
    problems.push("BODY_TTL_HOURS must not be longer than METADATA_TTL_DAYS: bodies die before metadata");
  }
  if (raw.BODY_TTL_HOURS < raw.IDEMPOTENCY_TTL_HOURS) {
    problems.push(
      "BODY_TTL_HOURS must not be shorter than IDEMPOTENCY_TTL_HOURS: a repeat in its window gets the kept answer",
    );
  }
  // Without the row a repeat inside its window would be executed again.
  if (raw.IDEMPOTENCY_TTL_HOURS > raw.METADATA_TTL_DAYS * HOURS_PER_DAY) {
    problems.push("IDEMPOTENCY_TTL_HOURS must not be longer than METADATA_TTL_DAYS");
  }
  if (raw.PROVIDER === "stripe" && raw.STRIPE_SECRET_KEY === undefined) {
    problems.push("PROVIDER=stripe needs STRIPE_SECRET_KEY");
  }
  if (raw.OUTBOX_TRANSPORT === "nats" && raw.NATS_URL === undefined)
    problems.push("OUTBOX_TRANSPORT=nats needs NATS_URL");
  if (raw.OUTBOX_TRANSPORT === "rabbitmq" && raw.RABBITMQ_URL === undefined) {
    problems.push("OUTBOX_TRANSPORT=rabbitmq needs RABBITMQ_URL");
  }
  if (raw.SMTP_URL !== undefined && raw.MAIL_FROM === undefined) problems.push("SMTP_URL needs MAIL_FROM");
  if (raw.OIDC_ISSUER !== undefined && (raw.OIDC_CLIENT_ID === undefined || raw.OIDC_CLIENT_SECRET === undefined)) {
    problems.push("OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET");
  }
  if (raw.PORT === raw.SANDBOX_PORT) problems.push("PORT and SANDBOX_PORT must differ");
  return problems;
}

function oidcOf(raw: Raw): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = raw;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return {
    issuer,
    clientId,
    clientSecret,
    name: raw.OIDC_NAME ?? new URL(issuer).hostname,
    roleClaim: raw.OIDC_ROLE_CLAIM,
    defaultRole: raw.OIDC_DEFAULT_ROLE,
  };
}

function refuse(problems: readonly string[]): never {
  throw new Error(`The environment is not usable: ${problems.join("; ")}.`);
}

/**
 * Reads the environment of `npm start`, which may lack a database and its secrets.
 *
 * @param env an empty value counts as none
 * @throws Error in one sentence that names every bad variable, never a value
 */
export function parseStartConfig(env: Environment): StartConfig {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) refuse(parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`));
  const raw = parsed.data;
  const problems = contradictions(raw);
  if (problems.length > 0) refuse(problems);
  return {
    databaseUrl: raw.DATABASE_URL,
    port: raw.PORT,
    dataDir: raw.DATA_DIR,
    publicUrl: raw.PUBLIC_URL ?? `http://localhost:${String(raw.PORT)}`,
    secret: raw.SECRET,
    encryptionKeys: raw.ENCRYPTION_KEYS,
    sandboxPort: raw.SANDBOX_PORT,
    provider: raw.PROVIDER,
    leaseSeconds: raw.LEASE_SECONDS,
    idempotencyTtlHours: raw.IDEMPOTENCY_TTL_HOURS,
    bodyTtlHours: raw.BODY_TTL_HOURS,
    metadataTtlDays: raw.METADATA_TTL_DAYS,
    workerIntervalMs: raw.WORKER_INTERVAL_MS,
    logLevel: raw.LOG_LEVEL,
    providerTimeoutMs: raw.PROVIDER_TIMEOUT_MS,
    requestTimeoutMs:
      raw.REQUEST_TIMEOUT_MS || Math.max(DEFAULT_REQUEST_TIMEOUT_MS, raw.PROVIDER_TIMEOUT_MS + OWN_WORK_MS),
    region: raw.REGION,
    stripeSecretKey: raw.STRIPE_SECRET_KEY,
    stripeApiBase: raw.STRIPE_API_BASE,
    natsUrl: raw.NATS_URL,
    rabbitmqUrl: raw.RABBITMQ_URL,
    outboxTransport: raw.OUTBOX_TRANSPORT,
    smtpUrl: raw.SMTP_URL,
    mailFrom: raw.MAIL_FROM ?? DEFAULT_MAIL_FROM,
    webhookAllowPrivate: raw.WEBHOOK_ALLOW_PRIVATE === "true",
    otlpEndpoint: raw.OTEL_EXPORTER_OTLP_ENDPOINT,
    workerMetricsPort: raw.WORKER_METRICS_PORT === 0 ? undefined : raw.WORKER_METRICS_PORT,
    oidc: oidcOf(raw),
  };
}

/**
 * Reads the environment of one process.
 *
 * @param env DATABASE_URL, SECRET and ENCRYPTION_KEYS must be there
 * @throws Error in one sentence that names every bad or missing variable, never a value
 */
export function parseConfig(env: Environment): Config {
  const start = parseStartConfig(env);
  const { databaseUrl, secret, encryptionKeys } = start;
  if (databaseUrl === undefined || secret === undefined || encryptionKeys === undefined) {
    const missing = { DATABASE_URL: databaseUrl, SECRET: secret, ENCRYPTION_KEYS: encryptionKeys };
    refuse(
      Object.entries(missing)
        .filter(([, value]) => value === undefined)
        .map(([name]) => `${name} is missing`),
    );
  }
  return { ...start, databaseUrl, secret, encryptionKeys };
}
