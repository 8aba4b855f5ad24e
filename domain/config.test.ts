import { describe, expect, test } from "vitest";
import { parseConfig, parseStartConfig } from "./config";

const NEEDED = {
  DATABASE_URL: "postgres://user:hidden@db.example/app",
  SECRET: "s".repeat(32),
  ENCRYPTION_KEYS: `k1:${"A".repeat(43)}=`,
};

describe("parseConfig", () => {
  test("defaults are those of the contract", () => {
    expect(parseConfig(NEEDED)).toMatchObject({
      port: 3000,
      dataDir: ".onceboard",
      publicUrl: "http://localhost:3000",
      sandboxPort: 3900,
      provider: "sandbox",
      leaseSeconds: 30,
      idempotencyTtlHours: 24,
      providerTimeoutMs: 10_000,
      requestTimeoutMs: 30_000,
      logLevel: "info",
    });
  });

  test("a request may take longer than its provider, whatever that may take", () => {
    expect(parseConfig({ ...NEEDED, REQUEST_TIMEOUT_MS: "10001" }).requestTimeoutMs).toBe(10_001);
    const slow = { PROVIDER_TIMEOUT_MS: "60000", LEASE_SECONDS: "90" };
    expect(parseConfig({ ...NEEDED, ...slow }).requestTimeoutMs).toBe(65_000);
  });

  test("keys of days are nowhere outside unless it is asked for, and never in the database itself", () => {
    expect(parseConfig(NEEDED)).toMatchObject({ keyStore: "env", keyStoreDir: ".onceboard/keys" });
    expect(parseConfig({ ...NEEDED, KEY_STORE: "file", KEY_STORE_DIR: "/keys" }).keyStoreDir).toBe("/keys");
    expect(parseStartConfig({}).keyStore).toBeUndefined();
    const url = "postgres://user:hidden@keys.example/keys";
    expect(parseConfig({ ...NEEDED, KEY_STORE: "postgres", KEY_STORE_URL: url }).keyStoreUrl).toBe(url);
    for (const [given, problem] of [
      [{ KEY_STORE: "postgres" }, "KEY_STORE=postgres needs KEY_STORE_URL"],
      [{ KEY_STORE_URL: url }, "KEY_STORE_URL needs KEY_STORE=postgres or vault"],
      [{ KEY_STORE_DIR: "/keys" }, "KEY_STORE_DIR needs KEY_STORE=file"],
      [
        { KEY_STORE: "postgres", KEY_STORE_URL: "postgres://other:hidden@db.example:5432/app" },
        "KEY_STORE_URL must be another database than DATABASE_URL: a backup of one must not hold the other",
      ],
    ] as const)
      expect(() => parseConfig({ ...NEEDED, ...given })).toThrow(`The environment is not usable: ${problem}.`);
  });

  test("payloads are sealed only where it is said: an older worker would send what is sealed", () => {
    expect(parseConfig(NEEDED).sealPayloads).toBe(false);
    expect(parseConfig({ ...NEEDED, SEAL_PAYLOADS: "true" }).sealPayloads).toBe(true);
  });

  test("a service as key store has what it needs, and a token goes out over TLS alone", () => {
    const ring = "projects/shop/locations/europe-west3/keyRings/onceboard";
    const vault = {
      KEY_STORE: "vault",
      KEY_STORE_URL: "https://vault.internal:8200",
      KEY_STORE_TOKEN_FILE: "/run/token",
    };
    expect(parseConfig({ ...NEEDED, KEY_STORE: "aws-kms" }).keyStoreName).toBeUndefined();
    expect(parseConfig({ ...NEEDED, KEY_STORE: "gcp-kms", KEY_STORE_NAME: ring }).keyStoreName).toBe(ring);
    expect(parseConfig({ ...NEEDED, ...vault }).keyStoreTokenFile).toBe("/run/token");
    expect(parseConfig({ ...NEEDED, ...vault, KEY_STORE_URL: "http://127.0.0.1:8200" }).keyStore).toBe("vault");
    for (const [given, problem] of [
      [{ KEY_STORE: "gcp-kms" }, "KEY_STORE=gcp-kms needs KEY_STORE_NAME"],
      [
        { KEY_STORE: "gcp-kms", KEY_STORE_NAME: "onceboard" },
        "KEY_STORE_NAME must be projects/P/locations/L/keyRings/R with KEY_STORE=gcp-kms",
      ],
      [
        { KEY_STORE: "aws-kms", KEY_STORE_NAME: "a b" },
        "KEY_STORE_NAME must be letters, digits, -, _ and / with KEY_STORE=aws-kms",
      ],
      [
        { ...vault, KEY_STORE_URL: "http://vault.internal:8200" },
        "KEY_STORE_URL must begin with https:// with KEY_STORE=vault: the token goes there",
      ],
      [{ ...vault, KEY_STORE_TOKEN: "t" }, "KEY_STORE=vault needs one of KEY_STORE_TOKEN and KEY_STORE_TOKEN_FILE"],
      [{ KEY_STORE_TOKEN: "t" }, "KEY_STORE_TOKEN needs KEY_STORE=vault"],
      [
        { KEY_STORE: "postgres", KEY_STORE_URL: "https://x.example" },
        "KEY_STORE_URL must begin with postgres:// with KEY_STORE=postgres",
      ],
    ] as const)
      expect(() => parseConfig({ ...NEEDED, ...given })).toThrow(`The environment is not usable: ${problem}.`);
  });

  test("METRIC-4 nothing is exported and no port is opened unless it is asked for", () => {
    expect(parseConfig(NEEDED)).toMatchObject({ otlpEndpoint: undefined, workerMetricsPort: undefined });
    const asked = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/otlp/", WORKER_METRICS_PORT: "9464" };
    expect(parseConfig({ ...NEEDED, ...asked })).toMatchObject({
      otlpEndpoint: "http://collector:4318/otlp",
      workerMetricsPort: 9464,
    });
  });

  test("a missing value names itself", () => {
    expect(() => parseConfig({ ...NEEDED, SECRET: "", DATABASE_URL: undefined })).toThrow(
      "The environment is not usable: DATABASE_URL is missing (only start and demo bring a database of their own); SECRET is missing.",
    );
  });

  test.each([
    ["PORT", "70000"],
    ["REQUEST_TIMEOUT_MS", "249"],
    ["REQUEST_TIMEOUT_MS", "0"],
    ["REQUEST_TIMEOUT_MS", "600001"],
    ["REQUEST_TIMEOUT_MS", "10000"],
    ["PORT", "3000.5"],
    ["PORT", "-1"],
    ["DATABASE_URL", "mysql://x"],
    ["PUBLIC_URL", "ftp://x"],
    ["BASE_PATH", "onceboard"],
    ["BASE_PATH", "/"],
    ["BASE_PATH", "/onceboard/"],
    ["BASE_PATH", "/once board"],
    ["BASE_PATH", "/../etc"],
    ["BASE_PATH", `/${"a".repeat(100)}`],
    ["SECRET", "short"],
    ["ENCRYPTION_KEYS", "k1:tooshort"],
    ["ENCRYPTION_KEYS", `${NEEDED.ENCRYPTION_KEYS},`],
    ["KEY_STORE", "hsm"],
    ["KEY_STORE_URL", "mysql://x"],
    ["PROVIDER", "bank"],
    ["TRUSTED_PROXIES", "10.0.0.0/33"],
    ["TRUSTED_PROXIES", "balancer.internal"],
    ["STRIPE_LIVE", "yes"],
    ["LOG_LEVEL", "loud"],
    ["LEASE_SECONDS", "0"],
    ["WORKER_INTERVAL_MS", "soon"],
    ["WORKER_METRICS_PORT", "70000"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OIDC_ISSUER", "login.example.com"],
    ["OIDC_DEFAULT_ROLE", "root"],
    ["SMTP_URL", "mail.example.com:25"],
    ["MAIL_FROM", "nobody"],
    ["MAIL_FROM", "a@example.com\r\nBcc: b@example.com"],
    ["WEBHOOK_ALLOW_PRIVATE", "perhaps"],
    ["ATTACH_HOSTS", "postgres://orders-db"],
    ["ATTACH_HOSTS", "orders-db:5432, ../billing"],
  ])("%s=%s is refused by name, without its value", (name, value) => {
    expect(() => parseConfig({ ...NEEDED, [name]: value })).toThrow(
      new RegExp(`^The environment is not usable: ${name} must`),
    );
  });

  test("mails need a sender once they leave, and webhooks stay outside unless somebody says otherwise", () => {
    const smtp = { ...NEEDED, SMTP_URL: "smtp://user:password@mail.example.com:587" };
    expect(() => parseConfig(smtp)).toThrow("SMTP_URL needs MAIL_FROM");
    for (const from of ["receipts@example.com", "Example Shop <receipts@example.com>"]) {
      expect(parseConfig({ ...smtp, MAIL_FROM: from })).toMatchObject({ smtpUrl: smtp.SMTP_URL, mailFrom: from });
    }
    expect(parseConfig(NEEDED)).toMatchObject({ smtpUrl: undefined, webhookAllowPrivate: false });
    expect(parseConfig({ ...NEEDED, WEBHOOK_ALLOW_PRIVATE: "true" }).webhookAllowPrivate).toBe(true);
  });

  test("hosts whose databases may be attached are a list, and any without one", () => {
    expect(parseConfig(NEEDED).attachHosts).toBeUndefined();
    const listed = parseConfig({ ...NEEDED, ATTACH_HOSTS: "orders-db, billing.internal:6432,[::1]:5432" });
    expect(listed.attachHosts).toEqual(["orders-db", "billing.internal:6432", "[::1]:5432"]);
  });

  test("POLICY-5 a lease must outlive the provider call", () => {
    expect(() => parseConfig({ ...NEEDED, LEASE_SECONDS: "10" })).toThrow(
      "LEASE_SECONDS must be longer than PROVIDER_TIMEOUT_MS",
    );
    expect(parseConfig({ ...NEEDED, LEASE_SECONDS: "11" }).leaseSeconds).toBe(11);
  });

  test("retention may not outrun the metadata", () => {
    expect(() => parseConfig({ ...NEEDED, METADATA_TTL_DAYS: "1" })).toThrow("BODY_TTL_HOURS");
    expect(() =>
      parseConfig({ ...NEEDED, METADATA_TTL_DAYS: "1", BODY_TTL_HOURS: "24", IDEMPOTENCY_TTL_HOURS: "25" }),
    ).toThrow("IDEMPOTENCY_TTL_HOURS");
    expect(() => parseConfig({ ...NEEDED, IDEMPOTENCY_TTL_HOURS: "24", BODY_TTL_HOURS: "23" })).toThrow(
      "BODY_TTL_HOURS",
    );
    expect(parseConfig({ ...NEEDED, IDEMPOTENCY_TTL_HOURS: "24", BODY_TTL_HOURS: "24" }).bodyTtlHours).toBe(24);
  });

  test("real money moves only where provider, key and a word of its own say so", () => {
    const stripe = { ...NEEDED, PROVIDER: "stripe" };
    const live = { ...stripe, STRIPE_SECRET_KEY: "sk_live_hidden" };
    expect(() => parseConfig(live)).toThrow("say STRIPE_LIVE=true");
    expect(() => parseConfig(live)).not.toThrow("hidden");
    for (const key of ["sk_org_live_hidden", " sk_live_hidden", "pk_live_hidden"]) {
      expect(() => parseConfig({ ...stripe, STRIPE_SECRET_KEY: key })).toThrow("is no test key");
      expect(() => parseConfig({ ...stripe, STRIPE_SECRET_KEY: key })).not.toThrow("hidden");
    }
    expect(() => parseConfig({ ...stripe, STRIPE_SECRET_KEY: "sk_test_1", STRIPE_LIVE: "true" })).toThrow("a live key");
    expect(() => parseConfig({ ...NEEDED, STRIPE_SECRET_KEY: "sk_live_1", STRIPE_LIVE: "true" })).toThrow(
      "PROVIDER=stripe",
    );
    const elsewhere = { ...live, STRIPE_LIVE: "true", STRIPE_API_BASE: "http://127.0.0.1:1" };
    expect(() => parseConfig(elsewhere)).toThrow("leave STRIPE_API_BASE out");
    expect(parseConfig({ ...live, STRIPE_LIVE: "true" })).toMatchObject({ provider: "stripe", stripeLive: true });
    expect(parseConfig({ ...stripe, STRIPE_SECRET_KEY: "sk_test_1" }).stripeLive).toBe(false);
  });

  test("nobody's X-Forwarded-For counts unless proxies are named", () => {
    expect(parseConfig(NEEDED).trustedProxies).toEqual([]);
    expect(parseConfig({ ...NEEDED, TRUSTED_PROXIES: "10.0.0.0/8, fd00::/8,192.0.2.7" }).trustedProxies).toEqual([
      "10.0.0.0/8",
      "fd00::/8",
      "192.0.2.7",
    ]);
  });

  test("one port cannot serve two", () => {
    expect(() => parseConfig({ ...NEEDED, PORT: "3900" })).toThrow("PORT and SANDBOX_PORT must differ");
  });

  test("the public address is an origin, and follows the port when it is not given", () => {
    expect(parseConfig({ ...NEEDED, PUBLIC_URL: "https://ops.example/" }).publicUrl).toBe("https://ops.example");
    expect(parseConfig({ ...NEEDED, PORT: "4100" }).publicUrl).toBe("http://localhost:4100");
  });

  test("a base path is part of the public address, whether that one names it or not", () => {
    expect(parseConfig(NEEDED).basePath).toBe("");
    const below = { ...NEEDED, BASE_PATH: "/ops/onceboard" };
    const address = { basePath: "/ops/onceboard", publicUrl: "https://ops.example/ops/onceboard" };
    expect(parseConfig({ ...below, PUBLIC_URL: "https://ops.example" })).toMatchObject(address);
    expect(parseConfig({ ...below, PUBLIC_URL: "https://ops.example/ops/onceboard/" })).toMatchObject(address);
    expect(parseConfig(below).publicUrl).toBe("http://localhost:3000/ops/onceboard");
  });

  test.each([{ BASE_PATH: "/onceboard" }, {}])("a public address with another path stops the process: %j", (base) => {
    expect(() => parseConfig({ ...NEEDED, ...base, PUBLIC_URL: "https://ops.example/elsewhere" })).toThrow(
      "The environment is not usable: PUBLIC_URL has a path, so BASE_PATH must be that path: both say where people reach the console.",
    );
  });
});

test("a start may do without a database and its secrets, but not with a broken value", () => {
  expect(parseStartConfig({})).toMatchObject({ databaseUrl: undefined, secret: undefined, port: 3000 });
  expect(() => parseStartConfig({ PORT: "x" })).toThrow("PORT");
});

test("ACCESS-6 takes no issuer without TLS, but one of this machine where the deployment says so", () => {
  const oidc = { ...NEEDED, OIDC_CLIENT_ID: "onceboard", OIDC_CLIENT_SECRET: "s3cret" };
  const local = { ...oidc, OIDC_ISSUER: "http://127.0.0.1:4000" };
  expect(() => parseConfig(local)).toThrow("OIDC_ISSUER must begin with https://");
  expect(parseConfig({ ...local, OIDC_ALLOW_LOOPBACK_HTTP: "true" }).oidc?.issuer).toBe("http://127.0.0.1:4000");
  for (const issuer of ["http://login.example.com", "http://127.0.0.1.example.com", "http://localhost.example.com"])
    expect(() => parseConfig({ ...oidc, OIDC_ISSUER: issuer, OIDC_ALLOW_LOOPBACK_HTTP: "true" })).toThrow(
      "OIDC_ISSUER",
    );
});

test("ACCESS-6 takes an OIDC issuer with its client, or none", () => {
  expect(parseConfig(NEEDED).oidc).toBeUndefined();
  const issuer = { ...NEEDED, OIDC_ISSUER: "https://login.example.com/realms/ops/", OIDC_CLIENT_ID: "onceboard" };
  expect(() => parseConfig(issuer)).toThrow("OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET");
  expect(parseConfig({ ...issuer, OIDC_CLIENT_SECRET: "s3cret", OIDC_DEFAULT_ROLE: "none" }).oidc).toEqual({
    issuer: "https://login.example.com/realms/ops",
    clientId: "onceboard",
    clientSecret: "s3cret",
    name: "login.example.com",
    roleClaim: undefined,
    defaultRole: "none",
  });
});

test.each([
  ["eu-west=https://eu.example.com/onceboard/, us=http://10.0.0.1:3000", true],
  ["eu-west", false],
  ["EU=https://eu.example.com", false],
  ["eu=ftp://eu.example.com", false],
  ["eu=https://user:secret@eu.example.com", false],
  ["local=https://here.example.com", false],
])("REGION_PEERS=%s names other regions by their address: %s", (peers, good) => {
  const read = () => parseConfig({ ...NEEDED, REGION_PEERS: peers });
  if (!good) expect(read).toThrow("REGION_PEERS");
  else
    expect([...read().regionPeers]).toEqual([
      ["eu-west", "https://eu.example.com/onceboard"],
      ["us", "http://10.0.0.1:3000"],
    ]);
});
