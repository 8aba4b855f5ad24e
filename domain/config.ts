import { z } from "zod";
import { BASE_PATH_MAX, basePathOf, isBasePath } from "./access/base-path";
import { ISSUER_ADDRESS_WORDS, isIssuerAddress } from "./access/issuer-address";
import { isNetwork } from "./access/networks";
import { SAME_PERSON_DAYS } from "./access/ties";
import { attachedHosts } from "./attachments/hosts";
import { auditContradictions, auditSettings } from "./audit-config";
import { keyStoreContradictions, keyStoreSettings, postgresUrl, type KeyStoreKind } from "./key-store-config";
import { kafkaAddress } from "./messages/kafka-url";
import {
  address,
  addresses,
  flag,
  listed,
  MAX_PORT,
  oneOf,
  optionalPort,
  web,
  webAddress,
  webOrigin,
  whole,
} from "./config-values";
import { ROLES, type Role } from "./idempotency/states";
import { regionSettings } from "./region-config";
import { replicaContradictions, replicaSettings } from "./replica-config";
import { stripeContradictions } from "./stripe-settings";

/** No line break can get into a header by it. */
const MAIL_FROM = /^(?:[^<>@\r\n]{0,100}<[^<>@\s]{1,64}@[A-Za-z0-9.-]{1,255}>|[^<>@\s]{1,64}@[A-Za-z0-9.-]{1,255})$/;
const DEFAULT_MAIL_FROM = "receipts@localhost";
const LISTEN_HOST = /^[A-Za-z0-9.:_-]{1,253}$/;
const METRICS_TOKEN = /^[!-~]{16,200}$/;
const MAX_PROXIES = 100;
const MIN_SECRET_LENGTH = 32;
/** Bounds of a request's time: with less, outcomes would only become unknown. */
export const [MIN_REQUEST_TIMEOUT_MS, MAX_REQUEST_TIMEOUT_MS] = [250, 600_000] as const;
const [DEFAULT_REQUEST_TIMEOUT_MS, OWN_WORK_MS] = [30_000, 5_000] as const;
const [MS_PER_SECOND, HOURS_PER_DAY] = [1_000, 24] as const;
/** `id:` and 32 bytes in base64. */
const ENCRYPTION_KEY = /^[A-Za-z0-9_-]{1,64}:[A-Za-z0-9+/]{43}=?$/;

/** Everything the processes read from the environment, checked once at start. `.env.example` lists it. */
const settingsSchema = z.object({
  databaseUrl: postgresUrl.optional(),
  ...replicaSettings,
  port: whole(1, MAX_PORT, 3000),
  /** Of the owner of the tables, for `migrate` and `start`: then databaseUrl may be a login that owns nothing. */
  migrateDatabaseUrl: address("postgres:", "postgresql:").optional(),
  /** The address of this machine that servers listen on; without it all of them, and of `start` and `demo` the machine itself alone. */
  listenHost: z
    .string()
    .regex(LISTEN_HOST, "must be a name or an address of this machine, such as 127.0.0.1")
    .optional(),
  /** Lets whoever sends it read /api/metrics. */
  metricsToken: z
    .string()
    .regex(METRICS_TOKEN, "must have 16 to 200 visible characters of ASCII, and no blank")
    .optional(),
  /** Where serve and api show /metrics beside; nowhere without it. */
  metricsPort: optionalPort,
  /** Where embedded data and generated secrets are kept. */
  dataDir: z.string().default(".onceboard"),
  /** Address under which people reach the console, without a slash at its end; its path may be the base path and nothing else. */
  publicUrl: web.transform((text) => new URL(text)).optional(),
  /** Everything lies below this path of the host, such as `/onceboard`; at the host's root by default. */
  basePath: z
    .string()
    .default("")
    .refine(
      isBasePath,
      `must be a path such as /onceboard, of letters, digits, - and _, without a slash at its end and of at most ${String(BASE_PATH_MAX)} characters`,
    ),
  /** Signs sessions and keys the fingerprints. */
  secret: z
    .string()
    .min(MIN_SECRET_LENGTH, `must have at least ${String(MIN_SECRET_LENGTH)} characters`)
    .optional(),
  /** Entries `id:base64 of 32 bytes` separated by commas; the first seals, all open. */
  encryptionKeys: z
    .string()
    .refine(
      (text) => text.split(",").every((entry) => ENCRYPTION_KEY.test(entry.trim())),
      "must be a list of id:base64, each of 32 bytes, separated by commas",
    )
    .optional(),
  ...keyStoreSettings,
  /** Whether payloads of messages are sealed when they are written: only once every process can open them (docs/decisions/0024). */
  sealPayloads: flag(),
  sandboxPort: whole(1, MAX_PORT, 3900),
  provider: oneOf("sandbox", "stripe").default("sandbox"),
  leaseSeconds: whole(1, 3_600, 30),
  idempotencyTtlHours: whole(1, 8_760, 24),
  bodyTtlHours: whole(1, 8_760, 72),
  metadataTtlDays: whole(1, 3_650, 90),
  workerIntervalMs: whole(20, 3_600_000, 1_000),
  logLevel: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent").default("info"),
  providerTimeoutMs: whole(50, 600_000, 10_000),
  /** Longest work on a request whose caller says nothing else by `X-Request-Timeout`; longer than the provider may take. */
  requestTimeoutMs: whole(MIN_REQUEST_TIMEOUT_MS, MAX_REQUEST_TIMEOUT_MS, 0),
  ...regionSettings,
  /** Days for which whoever invited a person, made a link for them or changed their access counts as the same person (docs/PLANS.md). */
  samePersonDays: whole(1, 366, SAME_PERSON_DAYS),
  /** Needed by PROVIDER=stripe. */
  stripeSecretKey: z.string().optional(),
  /** Said explicitly: this deployment moves real money with a live key. */
  stripeLive: flag(),
  /** Origin of a Stripe-compatible API; the real one by default. */
  stripeApiBase: webOrigin.optional(),
  /** Without it no topic can travel by NATS. */
  natsUrl: addresses("nats:", "tls:").optional(),
  /** Without it no topic can travel by RabbitMQ. */
  rabbitmqUrl: address("amqp:", "amqps:").optional(),
  /** `kafka://host:9092` or `kafkas://…` with TLS, several separated by commas. Without it no topic can travel by Kafka. */
  kafkaUrl: z
    .string()
    .superRefine((text, check) => {
      const parts = kafkaAddress(text);
      if ("problem" in parts) check.addIssue({ code: "custom", message: parts.problem });
    })
    .optional(),
  /** What carries a topic of which no operator said otherwise. */
  outboxTransport: oneOf("http", "nats", "rabbitmq", "kafka").default("http"),
  /** `smtp://user:password@host:587` or `smtps://…`; without it mails are files in DATA_DIR/mail. */
  smtpUrl: address("smtp:", "smtps:").optional(),
  /** Sender of all mails, `Name <user@host>` or `user@host`. */
  mailFrom: z
    .string()
    .regex(MAIL_FROM, "must be an address such as receipts@example.com, or Name <address>")
    .optional(),
  /** Origin of PagerDuty's Events API; `https://events.eu.pagerduty.com` for accounts in Europe. */
  pagerdutyUrl: webOrigin.default("https://events.pagerduty.com"),
  /** Merchants' webhooks and alerts may go to plain http and to addresses inside: for demos and tests only. */
  webhookAllowPrivate: flag(),
  /** Hosts whose databases may be attached, `host` or `host:port`, separated by commas; any without it. */
  attachHosts: attachedHosts.optional(),
  /** Whose `X-Forwarded-For` counts: addresses and networks of our own balancers, separated by commas; nobody's by default. */
  trustedProxies: listed
    .default([])
    .refine((entries) => entries.every(isNetwork), "must be a list of addresses and networks such as 10.0.0.0/8")
    .refine((entries) => entries.length <= MAX_PROXIES, `must have at most ${String(MAX_PROXIES)} entries`),
  /** Where spans and counters go (OTLP over HTTP), e.g. `http://localhost:4318`; without it no spans are made. */
  otlpEndpoint: webAddress.optional(),
  /** Where a worker shows its own metrics; nowhere without it. */
  workerMetricsPort: optionalPort,
  /** As its discovery document names itself, without a slash at its end. */
  oidcIssuer: webAddress.optional(),
  /** For development: the issuer may be a plain http address of this machine. */
  oidcAllowLoopbackHttp: flag(),
  oidcClientId: z.string().optional(),
  oidcClientSecret: z.string().optional(),
  /** "Sign in with …". */
  oidcName: z.string().max(40, "must have at most 40 characters").optional(),
  /** Claim of the ID token that names the role, at each sign-in; without it a role is changed here. */
  oidcRoleClaim: z.string().max(200, "must have at most 200 characters").optional(),
  /** Of somebody who is no operator yet and whose claim names no role; `none` keeps them out. */
  oidcDefaultRole: oneOf(...ROLES, "none").default("viewer"),
  /** Tenants of the role that somebody gets by an issuer, separated by commas; all tenants when left out. */
  oidcDefaultTenants: listed.optional(),
  ...auditSettings,
});

type Parsed = z.output<typeof settingsSchema>;
/** Each is there; what was not given is undefined. */
type Settings = { readonly [Name in keyof Required<Parsed>]: Parsed[Name] };
type Known = Omit<Settings, "publicUrl" | "keyStoreDir">;
type NeededWithDatabase = "databaseUrl" | "secret" | "encryptionKeys";
export type Environment = Readonly<Record<string, string | undefined>>;

/** An OpenID Connect issuer by which people may sign in. */
export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly roleClaim: string | undefined;
  readonly defaultRole: Role | "none";
  readonly tenants?: readonly string[] | undefined;
}

/** What is known before there is a database: `npm start` brings the rest with it. */
export interface StartConfig extends Known {
  /** Where people reach the first page of the console, e.g. `https://ops.example.com/onceboard`: origin and base path. */
  readonly publicUrl: string;
  readonly mailFrom: string;
  readonly keyStoreDir: string;
  /** Undefined: people sign in here only. */
  readonly oidc: OidcConfig | undefined;
}

export type Config = StartConfig & Readonly<Record<NeededWithDatabase, string>> & { readonly keyStore: KeyStoreKind };

/** @returns the variable that a setting is read from: LEASE_SECONDS for leaseSeconds */
function variableOf(setting: string): string {
  if (setting === "otlpEndpoint") return "OTEL_EXPORTER_OTLP_ENDPOINT";
  return setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** @returns what is wrong between values that are each in order. */
function contradictions(raw: Settings): string[] {
  const problems: string[] = [];
  const { leaseSeconds, bodyTtlHours, idempotencyTtlHours, providerTimeoutMs, requestTimeoutMs, outboxTransport } = raw;
  const metadataTtlHours = raw.metadataTtlDays * HOURS_PER_DAY;
  // A lease that ends during a provider call would let recovery start while the owner still waits for its answer.
  if (leaseSeconds * MS_PER_SECOND <= providerTimeoutMs)
    problems.push("LEASE_SECONDS must be longer than PROVIDER_TIMEOUT_MS");
  if (requestTimeoutMs !== 0 && requestTimeoutMs <= providerTimeoutMs)
    problems.push("REQUEST_TIMEOUT_MS must be longer than PROVIDER_TIMEOUT_MS");
  if (bodyTtlHours > metadataTtlHours)
    problems.push("BODY_TTL_HOURS must not be longer than METADATA_TTL_DAYS: bodies are deleted first");
  if (bodyTtlHours < idempotencyTtlHours)
    problems.push(
      "BODY_TTL_HOURS must not be shorter than IDEMPOTENCY_TTL_HOURS: a repeat in its window gets the kept answer",
    );
  // Without the row a repeat inside its window would be executed again.
  if (idempotencyTtlHours > metadataTtlHours)
    problems.push("IDEMPOTENCY_TTL_HOURS must not be longer than METADATA_TTL_DAYS");
  problems.push(...keyStoreContradictions(raw));
  if (raw.provider === "stripe" && raw.stripeSecretKey === undefined)
    problems.push("PROVIDER=stripe needs STRIPE_SECRET_KEY");
  problems.push(...stripeContradictions(raw));
  if (outboxTransport === "nats" && raw.natsUrl === undefined) problems.push("OUTBOX_TRANSPORT=nats needs NATS_URL");
  if (outboxTransport === "rabbitmq" && raw.rabbitmqUrl === undefined)
    problems.push("OUTBOX_TRANSPORT=rabbitmq needs RABBITMQ_URL");
  if (outboxTransport === "kafka" && raw.kafkaUrl === undefined)
    problems.push("OUTBOX_TRANSPORT=kafka needs KAFKA_URL");
  if (raw.smtpUrl !== undefined && raw.mailFrom === undefined) problems.push("SMTP_URL needs MAIL_FROM");
  if (raw.oidcIssuer !== undefined && oidcOf(raw) === undefined)
    problems.push("OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET");
  if (!isIssuerAddress(raw.oidcIssuer, raw.oidcAllowLoopbackHttp)) problems.push(ISSUER_ADDRESS_WORDS);
  const path = raw.publicUrl === undefined ? "" : basePathOf(raw.publicUrl.href);
  if (path !== "" && path !== raw.basePath)
    problems.push("PUBLIC_URL has a path, so BASE_PATH must be that path: both say where people reach the console");
  if (raw.regionPeers.has(raw.region)) problems.push("REGION_PEERS must not name REGION itself");
  problems.push(...auditContradictions(raw), ...replicaContradictions(raw));
  if (raw.port === raw.sandboxPort) problems.push("PORT and SANDBOX_PORT must differ");
  if (raw.port === raw.metricsPort) problems.push("PORT and METRICS_PORT must differ");
  return problems;
}

function oidcOf(raw: Settings): OidcConfig | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = raw;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  const { oidcName: name = new URL(issuer).hostname, oidcRoleClaim: roleClaim, oidcDefaultTenants: tenants } = raw;
  return { issuer, clientId, clientSecret, name, roleClaim, defaultRole: raw.oidcDefaultRole, tenants };
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
  const given = Object.keys(settingsSchema.shape).map((setting) => {
    const value = env[variableOf(setting)];
    return [setting, value?.trim() === "" ? undefined : value] as const;
  });
  const parsed = settingsSchema.safeParse(Object.fromEntries(given));
  if (!parsed.success)
    refuse(parsed.error.issues.map((issue) => `${variableOf(String(issue.path[0]))} ${issue.message}`));
  const raw = parsed.data as Settings;
  const problems = contradictions(raw);
  if (problems.length > 0) refuse(problems);
  return {
    ...raw,
    publicUrl: (raw.publicUrl?.origin ?? `http://localhost:${String(raw.port)}`) + raw.basePath,
    requestTimeoutMs: raw.requestTimeoutMs || Math.max(DEFAULT_REQUEST_TIMEOUT_MS, raw.providerTimeoutMs + OWN_WORK_MS),
    mailFrom: raw.mailFrom ?? DEFAULT_MAIL_FROM,
    keyStoreDir: raw.keyStoreDir ?? `${raw.dataDir}/keys`,
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
  if (databaseUrl !== undefined && secret !== undefined && encryptionKeys !== undefined)
    return { ...start, databaseUrl, secret, encryptionKeys, keyStore: start.keyStore ?? "env" };
  const needed = Object.entries({ databaseUrl, secret, encryptionKeys });
  refuse(
    needed.flatMap(([name, value]) => {
      if (value !== undefined) return [];
      const hint = name === "databaseUrl" ? " (only start and demo bring a database of their own)" : "";
      return [`${variableOf(name)} is missing${hint}`];
    }),
  );
}
