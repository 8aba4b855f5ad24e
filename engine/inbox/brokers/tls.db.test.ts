import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "@/engine/testing/broker-process";
import { startNats, startRabbitmq, type TestBroker } from "@/engine/testing/brokers";
import { findKafka, startKafka } from "@/engine/testing/kafka/broker";
import { makeTestAuthority, type TestAuthority } from "@/engine/testing/test-authority";

/** A process starts, makes topology, sends and consumes. */
const LONG_MS = 60_000;
const USER = "ada";
const PASSWORD = "p@ss/word";
const credentials = `${USER}:${encodeURIComponent(PASSWORD)}`;

let directory: string;
let authority: TestAuthority;
let broker: TestBroker | undefined;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "onceboard-tls-"));
  authority = makeTestAuthority(directory);
});
afterEach(async () => {
  await broker?.stop();
  broker = undefined;
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Trip {
  readonly sent: { readonly kind: string; readonly code?: string; readonly reason?: string };
  readonly got?: string;
}

/** Sends and takes one message in a process of its own. @param trusts whether it knows the authority */
async function roundtrip(name: string, url: string, trusts = true): Promise<Trip> {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const args = ["--import", "tsx", "engine/testing/broker-roundtrip.ts", name, url, "message-1"];
  const child = spawn(process.execPath, args, {
    env: { ...env, ...(trusts && { NODE_EXTRA_CA_CERTS: authority.ca }) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await once(child, "close");
  return JSON.parse(text) as Trip;
}

const GOOD: Trip = { sent: { kind: "acknowledged" }, got: "message-1" };
const AWAY = { sent: { kind: "unavailable", code: "delivery.broker_unavailable" } };

describe("brokers over TLS, as a user and with a token", () => {
  it("NATS: a user, a token, a wrong password, an authority that nobody knows", { timeout: LONG_MS }, async () => {
    const tls = `tls { cert_file: "${authority.cert}", key_file: "${authority.key}" }`;
    broker = await startNats({ config: `${tls}\nauthorization { user: "${USER}", password: "${PASSWORD}" }` });
    const at = (who: string): string => `tls://${who}@localhost:${String(broker?.port)}`;
    expect(await roundtrip("nats", at(credentials))).toEqual(GOOD);
    const wrong = await roundtrip("nats", at(`${USER}:wrong`));
    expect(wrong).toMatchObject(AWAY);
    expect(JSON.stringify(wrong)).not.toContain("wrong");
    expect(await roundtrip("nats", at(credentials), false)).toMatchObject(AWAY);
    await broker.stop();
    broker = await startNats({ config: `${tls}\nauthorization { token: "a-long-token" }` });
    expect(await roundtrip("nats", at("a-long-token"))).toEqual(GOOD);
  });

  it("RabbitMQ: a user, an authority that nobody knows", { timeout: LONG_MS }, async () => {
    const port = await freePort();
    const lines = [
      `listeners.ssl.default = 127.0.0.1:${String(port)}`,
      `ssl_options.certfile = ${authority.cert}`,
      `ssl_options.keyfile = ${authority.key}`,
    ];
    const server = await startRabbitmq({ config: lines.join("\n") });
    broker = server;
    await server.control("add_user", USER, PASSWORD);
    await server.control("set_permissions", USER, "onceboard\\..*", "onceboard\\..*", "onceboard\\..*");
    const url = `amqps://${credentials}@localhost:${String(port)}`;
    expect(await roundtrip("rabbitmq", url)).toEqual(GOOD);
    expect(await roundtrip("rabbitmq", url, false)).toMatchObject(AWAY);
  });

  const programs = findKafka();
  it.skipIf(typeof programs === "string")(
    "Kafka: a user (SCRAM), a token, a wrong password",
    { timeout: LONG_MS },
    async () => {
      if (typeof programs === "string") return;
      const pem = join(directory, "kafka.pem");
      writeFileSync(pem, readFileSync(authority.key, "utf8") + readFileSync(authority.cert, "utf8"));
      const login = "org.apache.kafka.common.security";
      broker = await startKafka(programs, {
        protocol: "SASL_SSL",
        format: ["--add-scram", `SCRAM-SHA-512=[name=${USER},password=${PASSWORD}]`],
        config: {
          "ssl.keystore.type": "PEM",
          "ssl.keystore.location": pem,
          "sasl.enabled.mechanisms": "SCRAM-SHA-512,OAUTHBEARER",
          "listener.name.client.scram-sha-512.sasl.jaas.config": `${login}.scram.ScramLoginModule required;`,
          // Takes tokens that nobody signed: what a token is worth is the cluster's business.
          "listener.name.client.oauthbearer.sasl.jaas.config": `${login}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";`,
        },
      });
      const at = (who: string, query = ""): string => `kafkas://${who}@127.0.0.1:${String(broker?.port)}${query}`;
      const scram = "?sasl=scram-sha-512";
      expect(await roundtrip("kafka", at(credentials, scram))).toEqual(GOOD);
      const wrong = await roundtrip("kafka", at(`${USER}:wrong`, scram));
      expect(wrong).toMatchObject(AWAY);
      expect(JSON.stringify(wrong)).not.toContain("wrong");
      expect(await roundtrip("kafka", at(`:${unsignedToken()}`))).toEqual(GOOD);
    },
  );
});

/** A JWT that nobody signed (RFC 7519, section 6), good for an hour. */
function unsignedToken(): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const now = Math.floor(Date.now() / 1_000);
  return `${part({ alg: "none" })}.${part({ sub: USER, iat: now, exp: now + 3_600 })}.`;
}
