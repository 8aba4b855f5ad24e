import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { v7 as uuidv7 } from "uuid";
import { createDatabase } from "@/db/client";
import { republishMessage } from "@/db/outbox/republish";
import type { BrokerMessage } from "@/engine/inbox/brokers/broker-message";
import { recordBatch } from "@/engine/inbox/brokers/record-batch";
import { MAX_MESSAGE_BYTES } from "@/engine/inbox/brokers/verify";
import { consume } from "../inbox/consume";
import { relay } from "../outbox/relay";
import { createTransports } from "@/engine/outbox/transports/transports";
import { BACK_WITHIN_MS, openBrokerDesk, type BrokerDesk, type BrokerKind } from "./broker-desk";
import { describeResets } from "./broker-reset-tests";
import { TENANT } from "./environment";

/** Some limits are longer than one test usually has. */
const LONG_MS = 60_000;

/** What has to hold over any broker: from the publication to one effect, whatever happens on the way. */
export function describeBroker(kind: BrokerKind): void {
  describe(`${kind.name}, out and in`, () => {
    let desk: BrokerDesk;
    beforeAll(async () => {
      desk = await openBrokerDesk(kind);
    });
    afterEach(async () => {
      desk.broker.resume();
      await desk.unsubscribe();
      // With nobody left what was not answered waits again.
      await expect.poll(() => kind.waiting(desk.broker.url), { timeout: BACK_WITHIN_MS }).toBe(0);
    });
    afterAll(() => desk.close());

    it("INBOX-11 what is published while no worker runs is kept, recorded, and handled once", async () => {
      const delivery = desk.message();
      expect(await desk.send(delivery)).toEqual({ kind: "acknowledged" });
      expect(await desk.rows(delivery.id)).toEqual([]);
      const subscriptions = desk.subscribe();
      const row = await desk.arrived(delivery.id);
      expect(row).toMatchObject({ state: "recorded", duplicates: 0, mismatches: 0 });
      expect(row.headers).toMatchObject({
        "webhook-id": delivery.id,
        "content-type": "application/cloudevents+json",
        traceparent: delivery.headers["traceparent"],
      });
      expect(Object.keys(row.headers)).not.toContain("webhook-signature");
      await consume(desk.env.context(), desk.consumers);
      expect(await desk.effects(delivery.id)).toBe(1);
      expect(subscriptions.all.map((each) => each.take())).toMatchObject([{ recorded: 1, refused: 0 }]);
    });

    it(
      "OUTBOX-4 from a committed outbox row over the relay and the broker to one effect; an outage is no attempt",
      async () => {
        const { env, transport, consumers } = desk;
        const transports = createTransports({ http: transport, [kind.name]: transport }, kind.name);
        const id = await env.outbox();
        const due = () =>
          env.rows("update onceboard.outbox_messages set next_attempt_at = '-infinity' where id = $1", id);
        await desk.broker.kill();
        expect(await relay(env.context(), transports)).toMatchObject({ unavailable: 1, failed: 0, published: 0 });
        const waiting = await env.rows(
          "select attempts_started, last_error_code from onceboard.outbox_messages where id = $1",
          id,
        );
        expect(waiting).toEqual([{ attempts_started: 0, last_error_code: "delivery.broker_unavailable" }]);
        await desk.broker.restart();
        const published = async () => {
          await due();
          await relay(env.context(), transports);
          return env.rows("select transport from onceboard.outbox_history where id = $1", id);
        };
        await expect.poll(published, { timeout: BACK_WITHIN_MS }).toEqual([{ transport: kind.name }]);
        desk.subscribe();
        await desk.arrived(id);
        await consume(env.context(), consumers);
        expect(await desk.effects(id)).toBe(1);
      },
      LONG_MS,
    );

    it(
      "MESSAGE-8 what the broker lost is published again by its id and handled once; what it did not lose is handled once too",
      async () => {
        const { env, transport, consumers } = desk;
        const transports = createTransports({ http: transport, [kind.name]: transport }, kind.name);
        const published = async (): Promise<string> => {
          const id = await env.outbox();
          await relay(env.context(), transports);
          return id;
        };
        const lost = await published();
        await kind.lose(desk.broker.url);
        const kept = await published();
        for (const id of [lost, kept]) {
          // As the action does it, whose rules console/actions holds.
          const by = { actor: "Mira", reason: "the broker lost its disk" };
          expect(await republishMessage(env.db.pool, { tenantId: TENANT, id }, by)).toBe("republished");
          await relay(env.context(), transports);
          const rows = await env.rows("select transport, republished from onceboard.outbox_history where id = $1", id);
          expect(rows).toEqual([
            { transport: kind.name, republished: [expect.objectContaining({ transport: kind.name })] },
          ]);
        }
        desk.subscribe();
        for (const id of [lost, kept]) {
          expect(await desk.arrived(id)).toMatchObject({ mismatches: 0 });
          while ((await consume(env.context(), consumers)).claimed > 0);
          expect(await desk.effects(id)).toBe(1);
        }
      },
      LONG_MS,
    );

    it(
      "OUTBOX-4 an outage counts against no message; a restart in the middle loses none and doubles none",
      async () => {
        const subscriptions = desk.subscribe();
        const before = Array.from({ length: 20 }, () => desk.message());
        const after = Array.from({ length: 20 }, () => desk.message());
        await Promise.all(before.map((delivery) => desk.sendUntilAcknowledged(delivery)));
        await desk.broker.kill();
        await expect
          .poll(() => desk.send(after[0] ?? desk.message()))
          .toMatchObject({ kind: "unavailable", code: "delivery.broker_unavailable" });
        await expect.poll(() => subscriptions.all.map((each) => thrown(() => each.take()))).toEqual([true]);
        await desk.broker.restart();
        await Promise.all(after.map((delivery) => desk.sendUntilAcknowledged(delivery)));
        await desk.allArrived([...before, ...after].map(({ id }) => id));
        while ((await consume(desk.env.context(), desk.consumers)).claimed > 0);
        for (const { id } of [...before, ...after]) expect(await desk.effects(id)).toBe(1);
      },
      LONG_MS,
    );

    it(
      "INBOX-11 killed while deliveries are under way: each is acknowledged once it is there, and has one row",
      async () => {
        desk.subscribe();
        const all = Array.from({ length: 60 }, () => desk.message());
        const sending = all.map((delivery) => desk.sendUntilAcknowledged(delivery));
        await Promise.any(sending);
        await desk.broker.restart();
        await Promise.all(sending);
        await desk.allArrived(all.map(({ id }) => id));
      },
      LONG_MS,
    );

    it(
      "OUTBOX-4 a broker that hangs: no acknowledgement in time is a failed attempt; the resend is the same message",
      async () => {
        const delivery = desk.message();
        await desk.sendUntilAcknowledged(desk.message());
        await desk.broker.pause();
        expect(await desk.send(delivery, { timeoutMs: 300 })).toMatchObject({
          kind: "failed",
          code: "delivery.timeout",
        });
        desk.broker.resume();
        await desk.sendUntilAcknowledged(delivery);
        desk.subscribe();
        await desk.arrived(delivery.id);
        expect(await desk.rows(delivery.id)).toHaveLength(1);
      },
      LONG_MS,
    );

    it("INBOX-11 recorded, and dead before the broker was answered: delivered again, and a duplicate", async () => {
      const delivery = desk.message();
      await desk.sendUntilAcknowledged(delivery);
      const given: BrokerMessage[] = [];
      const session = await kind.openSession(desk.broker.url, (message) => {
        given.push(message);
        return Promise.resolve();
      });
      await expect.poll(() => given.length).toBeGreaterThan(0);
      const dying = given.map((message) => ({ ...message, accept: () => undefined }));
      expect(await recordBatch(desk.recordDeps(), dying)).toMatchObject({ recorded: 1, left: [] });
      // Nothing is said to the broker. NATS would wait for the time of the answer to run out, so it is told not to.
      await session.pause();
      given.forEach((message) => message.giveBack());
      await session.close();
      desk.subscribe();
      await expect.poll(async () => (await desk.rows(delivery.id))[0]?.duplicates, { timeout: BACK_WITHIN_MS }).toBe(1);
      expect(await desk.arrived(delivery.id)).toMatchObject({ state: "recorded", duplicates: 1, mismatches: 0 });
    });

    describeResets(kind, () => desk);

    it("INBOX-3 the same id with another payload is flagged and answered", async () => {
      desk.subscribe();
      const id = uuidv7();
      for (const text of ["one", "two"]) {
        const body = JSON.stringify({ type: "payment.succeeded", data: { text } });
        await kind.publish(desk.broker.url, await desk.signed(id, body), body);
      }
      await expect.poll(async () => (await desk.rows(id))[0]?.mismatches, { timeout: BACK_WITHIN_MS }).toBe(1);
      expect(await desk.arrived(id)).toMatchObject({ duplicates: 0, mismatches: 1 });
    });

    it("INBOX-11 a database that is away loses nothing: given back, and recorded later", async () => {
      const away = createDatabase({ url: "postgres://nobody@127.0.0.1:1/nothing" });
      const subscriptions = desk.subscribe({ ...desk.env.base, db: away });
      const delivery = desk.message();
      await desk.sendUntilAcknowledged(delivery);
      await expect.poll(() => leftOf(subscriptions), { timeout: BACK_WITHIN_MS }).toBeGreaterThan(0);
      await subscriptions.stop();
      await away.close();
      desk.subscribe();
      await desk.arrived(delivery.id);
    });

    it("INBOX-11 an inbox that cannot be written now loses nothing: given back, and recorded when it can", async () => {
      const blocking = await desk.env.owner.pool.connect();
      await blocking.query("begin; lock table onceboard.inbox_messages in access exclusive mode");
      const delivery = desk.message();
      await desk.sendUntilAcknowledged(delivery);
      const subscriptions = desk.subscribe();
      await expect.poll(() => leftOf(subscriptions), { timeout: BACK_WITHIN_MS }).toBe(1);
      await blocking.query("rollback");
      blocking.release();
      await desk.arrived(delivery.id);
    });

    describe("INBOX-9 what its sender did not sign is refused and stored nowhere", () => {
      const body = JSON.stringify({ type: "payment.succeeded", data: {} });
      type Headers = Record<string, string>;
      const cases: readonly [string, (headers: Headers) => readonly [headers: Headers, body: string | Uint8Array]][] = [
        ["no signature", ({ "webhook-signature": _, ...headers }) => [headers, body]],
        ["no tenant", ({ "onceboard-tenant": _, ...headers }) => [headers, body]],
        ["a changed body", (headers) => [headers, body.replace("{}", '{"amount":1}')]],
        ["another id", (headers) => [{ ...headers, "webhook-id": uuidv7() }, body]],
        ["another time", (headers) => [{ ...headers, "webhook-timestamp": "1700000000" }, body]],
        [
          "another spelling of the time",
          (headers) => [{ ...headers, "webhook-timestamp": `0${headers["webhook-timestamp"] ?? ""}` }, body],
        ],
        ["an unknown tenant", (headers) => [{ ...headers, "onceboard-tenant": "globex" }, body]],
        ["an unknown source", (headers) => [{ ...headers, "onceboard-source": "partner" }, body]],
        [
          "a signature of another version",
          (headers) => [
            { ...headers, "webhook-signature": (headers["webhook-signature"] ?? "").replace("v1,", "v1a,") },
            body,
          ],
        ],
        ["bytes that are no text", (headers) => [headers, Buffer.from([0xff, 0xfe, 0x7b])]],
        ["too large a body", (headers) => [headers, "x".repeat(MAX_MESSAGE_BYTES + 1)]],
      ];
      it("whatever is wrong with it, and a good one beside it is taken", async () => {
        const subscriptions = desk.subscribe();
        const before = await desk.env.rows("select 1 from onceboard.inbox_messages");
        for (const [, make] of cases) {
          const [headers, bytes] = make(await desk.signed(uuidv7(), body));
          await kind.publish(desk.broker.url, headers, bytes);
        }
        const good = desk.message();
        await desk.sendUntilAcknowledged(good);
        await desk.arrived(good.id);
        expect(subscriptions.all.map((each) => each.take())).toMatchObject([{ recorded: 1, refused: cases.length }]);
        expect(await desk.env.rows("select 1 from onceboard.inbox_messages")).toHaveLength(before.length + 1);
      });

      it("and what its sender did sign, but nobody can keep, takes no neighbour with it", async () => {
        const broken = [
          "this is no JSON",
          JSON.stringify({ type: "x".repeat(200), data: {} }),
          '{"type":"payment.succeeded","data":{"text":"\\u0000"}}',
          `{"type":"payment.succeeded","data":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
        ];
        for (const text of broken) await kind.publish(desk.broker.url, await desk.signed(uuidv7(), text), text);
        const good = desk.message();
        await desk.sendUntilAcknowledged(good);
        const subscriptions = desk.subscribe();
        await desk.arrived(good.id);
        expect(subscriptions.all.map((each) => each.take())).toMatchObject([{ recorded: 1, refused: broken.length }]);
      });
    });
  });
}

function thrown(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}

function leftOf(subscriptions: { readonly all: readonly { take(): { readonly left: number } }[] }): number {
  try {
    return subscriptions.all.reduce((sum, each) => sum + each.take().left, 0);
  } catch {
    return 0;
  }
}
