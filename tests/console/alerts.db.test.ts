import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { v7 as uuidv7 } from "uuid";
import { createDestination, deleteDestination, testDestination } from "@/console/alerts/destination-actions";
import { createAlertTransports, type AlertTransportOptions } from "@/console/alerts/alert-transport";
import { judgeAlerts, type AlertTurn } from "@/console/alerts/judge-alerts";
import { MAX_ALERT_DESTINATIONS } from "@/console/alerts/limits";
import { readAlerts } from "@/console/alerts/read-alerts";
import { changeRule } from "@/console/alerts/rule-actions";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { claimOutbox } from "@/db/messages/claim-messages";
import { parseAmounts, type AlertCondition, type AlertDestinationKind } from "@/domain/alerts/rules";
import { relay } from "@/engine/outbox/relay";
import { createTransports } from "@/engine/outbox/transports/transports";
import { startMailCatcher, type MailCatcher } from "@/tests/support/mail-catcher";
import { startWebhookReceiver, type ReceivedWebhook, type WebhookReceiver } from "@/tests/support/webhook-receiver";

const ROUTING_KEY = "0123456789abcdef0123456789abcdef";
const HOLD = "1 minute";
const CLEAR = "5 minutes";

let desk: Desk;
let receiver: WebhookReceiver;
let catcher: MailCatcher;
let dataDir: string;
let relayNow: (options?: Partial<AlertTransportOptions>) => Promise<unknown>;
beforeAll(async () => {
  desk = await openDesk();
  receiver = await startWebhookReceiver();
  catcher = await startMailCatcher();
  dataDir = await mkdtemp(join(tmpdir(), "onceboard-alerts-"));
  relayNow = (options) => {
    const alerts = createAlertTransports({
      allowPrivate: true,
      publicUrl: "https://ops.example/onceboard",
      pagerdutyUrl: receiver.url,
      mail: { smtpUrl: catcher.url, mailFrom: "Onceboard <alerts@ops.example>", dataDir },
      ...options,
    });
    return relay(desk.context("admin"), createTransports({ http: alerts.http, alerts }, "http"));
  };
});
afterAll(async () => {
  await receiver.close();
  await catcher.close();
  await rm(dataDir, { recursive: true, force: true });
  await desk.close();
});
afterEach(async () => {
  receiver.answer(() => ({ status: 204 }));
  catcher.say({});
  for (const table of ["alerts", "alert_rules", "alert_turns", "alert_destinations", "outbox_messages", "dead_letters"])
    await desk.rows(`delete from onceboard.${table}`);
  await desk.rows("delete from onceboard.topics");
  await desk.rows("delete from onceboard.idempotency_open");
  await desk.rows("delete from onceboard.invariant_checks");
  await desk.rows("delete from onceboard.worker_heartbeats");
});

const click = () => ({ idempotencyKey: randomUUID(), receivedAt: performance.now(), reason: "a test" });
const admin = (tenant?: string) => desk.context("admin", tenant);
const TARGETS: Readonly<Record<AlertDestinationKind, () => string>> = {
  slack: () => `${receiver.url}/services/T0/B0/secret-token`,
  pagerduty: () => ROUTING_KEY,
  email: () => "on.call@ops.example",
};
async function destination(kind: AlertDestinationKind, tenant?: string): Promise<string> {
  const fields = { kind, name: `the ${kind}`, target: TARGETS[kind]() };
  const made = await createDestination(admin(tenant), click(), fields, { allowPrivate: true });
  return made.answer.after["id"] as string;
}
const set = (condition: AlertCondition, change: Partial<Parameters<typeof changeRule>[3]> = {}, tenant?: string) =>
  changeRule(admin(tenant), click(), condition, { enabled: true, ...change });

/** One turn of the loop. */
const turn = (): Promise<AlertTurn> => judgeAlerts(desk.context("admin"));
/** The same, once what was found has lasted so long. */
async function later(interval: string): Promise<AlertTurn> {
  for (const column of ["seen_at", "clear_since"])
    await desk.rows(
      `update onceboard.alerts set ${column} = ${column} - $1::interval where ended_at is null`,
      interval,
    );
  return turn();
}
async function opened(): Promise<AlertTurn> {
  await turn();
  return later(HOLD);
}

async function die(count: number, place = "payments"): Promise<void> {
  await desk.rows(
    `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at)
     select 'acme', gen_random_uuid(), 'outbox', gen_random_uuid(), $2, 'payment.succeeded', 'f', 'delivery.http_500', 'no', 12, now()
     from generate_series(1, $1)`,
    count,
    place,
  );
}
const revive = () => desk.rows("update onceboard.dead_letters set settled_at = now(), settlement = 'discarded'");
const messages = () =>
  desk.rows<{ type: string; topic: string; id: string; state: string; code: string | null }>(
    "select type, topic, id, state, last_error_code as code from onceboard.outbox_messages where topic like 'alert:%' order by position",
  );
const types = async () => (await messages()).map(({ type }) => type);
const slackTexts = (from: number) =>
  receiver.got.slice(from).flatMap(({ path, json }) => (path.startsWith("/services") ? [String(json["text"])] : []));
const events = (from: number): readonly ReceivedWebhook["json"][] =>
  receiver.got.slice(from).flatMap(({ path, json }) => (path === "/v2/enqueue" ? [json] : []));

describe("ALERT-1 an alert", () => {
  it("is told once in every destination, again when it is worse, and once when it is over", async () => {
    for (const kind of ["slack", "pagerduty", "email"] as const) await destination(kind);
    const [got, mails] = [receiver.got.length, catcher.mails.length];
    await die(1);
    expect(await turn()).toMatchObject({ judged: 1, opened: 0, told: 0 });
    expect(await later(HOLD)).toMatchObject({ opened: 1, told: 3 });
    await relayNow();
    expect(await later(HOLD)).toMatchObject({ opened: 0, worse: 0, told: 0 });
    await die(1);
    expect(await turn()).toMatchObject({ worse: 1, told: 3 });
    expect(await turn()).toMatchObject({ worse: 0, told: 0 });
    await relayNow();
    await revive();
    expect(await turn()).toMatchObject({ ended: 0 });
    expect(await later(CLEAR)).toMatchObject({ ended: 1, told: 3 });
    expect(await later(CLEAR)).toMatchObject({ ended: 0, told: 0 });
    await relayNow();

    const texts = slackTexts(got);
    expect(texts.map((text) => text.split("\n")[0])).toEqual([
      "*Alert: 1 dead letter, limit 1*",
      "*Worse: 2 dead letters, limit 1*",
      "*Resolved: No dead letter is open*",
    ]);
    expect(texts[0]).toMatch(
      /\nTenant: acme\nSince: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\nAs of: \S+\nAlert: [0-9a-f-]{36}\n<https:\/\/ops\.example\/onceboard\/dead-letters\?tenant=acme\|Open in Onceboard>$/,
    );
    const [one, two, three, ...more] = events(got);
    expect(more).toEqual([]);
    expect([one, two, three].map((event) => event?.["event_action"])).toEqual(["trigger", "trigger", "resolve"]);
    expect(new Set([one, two, three].map((event) => event?.["dedup_key"])).size).toBe(1);
    expect(texts[0]).toContain(String(one?.["dedup_key"]));
    expect(one).toMatchObject({
      routing_key: ROUTING_KEY,
      links: [{ href: "https://ops.example/onceboard/dead-letters?tenant=acme" }],
      payload: { severity: "error", group: "acme", class: "dead_letters" },
    });
    const sent = catcher.mails.slice(mails);
    expect(sent.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim())).toEqual([
      "[acme] Alert: 1 dead letter, limit 1",
      "[acme] Worse: 2 dead letters, limit 1",
      "[acme] Resolved: No dead letter is open",
    ]);
    expect(sent[0]).toMatchObject({ to: ["on.call@ops.example"], from: "alerts@ops.example" });
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(3);
    expect(await readAlerts(admin())).toMatchObject({ open: [], ended: [{ endedAs: "resolved" }] });
  });

  it("is told once by any number of workers at once", async () => {
    await destination("slack");
    await die(1);
    const first = await Promise.all(Array.from({ length: 8 }, turn));
    expect(first.filter(({ judged }) => judged === 1).length).toBeGreaterThan(0);
    await desk.rows("update onceboard.alerts set seen_at = seen_at - interval '1 minute'");
    const turns = await Promise.all(Array.from({ length: 8 }, turn));
    expect(turns.reduce((sum, { opened: count }) => sum + count, 0)).toBe(1);
    expect(await types()).toEqual(["alert.opened"]);
    expect(await desk.rows("select 1 from onceboard.alerts")).toHaveLength(1);
  });

  it("that somebody judged since it was measured writes nothing: what was measured is older", async () => {
    await desk.rows("insert into onceboard.alert_turns (tenant_id, at) values ('acme', now() + interval '1 hour')");
    await die(1);
    expect(await turn()).toMatchObject({ judged: 0 });
    expect(await desk.rows("select 1 from onceboard.alerts")).toEqual([]);
  });

  it("changes together with its message: where that cannot be written, it was not told", async () => {
    await destination("slack");
    await die(1);
    await turn();
    await desk.rows("update onceboard.alerts set seen_at = seen_at - interval '1 minute'");
    await desk.rows("alter table onceboard.outbox_messages add constraint no_alerts check (topic not like 'alert:%')");
    await expect(turn()).rejects.toThrow();
    expect(await desk.rows("select level, told_at from onceboard.alerts")).toEqual([{ level: 0, told_at: null }]);
    await desk.rows("alter table onceboard.outbox_messages drop constraint no_alerts");
    expect(await turn()).toMatchObject({ opened: 1, told: 1 });
  });

  it("that a relay sent and did not mark comes again as the same: one incident at PagerDuty, one Message-ID", async () => {
    for (const kind of ["slack", "pagerduty", "email"] as const) await destination(kind);
    const [got, mails] = [receiver.got.length, catcher.mails.length];
    await die(1);
    await opened();
    // A relay that died between sending and marking leaves what it had claimed as this.
    const before = await messages();
    await relayNow();
    await desk.rows(
      `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, headers, created_at, attempts_started, next_attempt_at)
       overriding system value select tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, headers, created_at, attempts_started, '-infinity'
       from onceboard.outbox_history where topic like 'alert:%'`,
    );
    await desk.rows("delete from onceboard.outbox_history where topic like 'alert:%'");
    await relayNow();
    expect(before).toHaveLength(3);
    const sent = events(got);
    expect(sent).toHaveLength(2);
    expect(JSON.stringify(sent[1])).toBe(JSON.stringify(sent[0]));
    const [one, two] = slackTexts(got);
    expect(two).toBe(one);
    const [first, second] = catcher.mails.slice(mails);
    expect(second?.messageId).toBe(first?.messageId);
    expect(second?.raw).toBe(first?.raw);
  });

  it("of money says the exact amount in its currency, over its own limit, and links to what is in doubt", async () => {
    await destination("slack");
    const { operationId } = await desk.make.unknown();
    await desk.rows(
      "update onceboard.idempotency_requests set amount_minor = 99999999999999, currency = 'EUR' where operation_id = $1",
      operationId,
    );
    await set("money_in_doubt", { amounts: parseAmounts("USD 1.00, EUR 600000000000.00") });
    const got = receiver.got.length;
    expect(await opened()).toMatchObject({ opened: 1 });
    await relayNow();
    const [text = ""] = slackTexts(got);
    expect(text).toContain("€999,999,999,999.99 in doubt, limit €600,000,000,000.00");
    expect(text).toContain("/attention?tenant=acme|");
    await set("money_in_doubt", { amounts: parseAmounts("USD 1.00") });
    await turn();
    expect(await types()).toEqual(["alert.turned_off"]);
  });
});

describe("ALERT-3 the conditions", () => {
  const pending = (topic: string, minutes: number, code: string | undefined) =>
    desk.rows(
      `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at, last_error_code, attempts_started, attempts_finished)
       values ('acme', gen_random_uuid(), 'payment', gen_random_uuid()::text, $1, 'payment.succeeded', '{}', now() - make_interval(mins => $2), now() + interval '1 hour', $3, 1, 1)`,
      topic,
      minutes,
      code,
    );
  const openTitles = async () => (await readAlerts(admin())).open.map(({ title, href }) => [title, href]);

  it("a topic fails whose messages were tried in vain for too long; one that rests is not told, and not said to work", async () => {
    await pending("payments", 12, "delivery.http_500");
    await pending("payments", 900, undefined);
    await pending("refunds", 9, "delivery.http_500");
    await pending(`alert:slack:${uuidv7()}`, 900, "alert.http_404");
    await opened();
    expect(await openTitles()).toEqual([
      ["Topic payments fails: the oldest message that was tried waits for 12 minutes, limit 10", "/topics/payments"],
    ]);
    await desk.rows(
      `insert into onceboard.topics (tenant_id, topic, paused_at, updated_by) values ('acme', 'payments', now(), 'Mira'), ('acme', 'refunds', now(), 'Mira')`,
    );
    await desk.rows("update onceboard.outbox_messages set created_at = created_at - interval '1 day'");
    await later(CLEAR);
    expect(await later(CLEAR)).toMatchObject({ opened: 0, worse: 0, ended: 0 });
    await desk.rows("delete from onceboard.topics");
    await desk.rows("delete from onceboard.outbox_messages where topic = 'payments'");
    await turn();
    expect(await later(CLEAR)).toMatchObject({ ended: 1 });
  });

  it("a loop that stopped is told where somebody asked for it, and is over when it beats again", async () => {
    const beat = (age: string) =>
      desk.rows(
        `insert into onceboard.worker_heartbeats (loop, instance, at, interval_ms) values ('recover', 'w1', now() - $1::interval, 1000)
         on conflict (loop, instance) do update set at = excluded.at`,
        age,
      );
    await beat("10 minutes");
    expect(await opened()).toMatchObject({ opened: 0 });
    await set("stopped_loop");
    expect(await opened()).toMatchObject({ opened: 1 });
    expect(await openTitles()).toEqual([["Loop recover of the worker has stopped", "/"]]);
    // A process that is gone for good is no loop that beats.
    await desk.rows("delete from onceboard.worker_heartbeats");
    await later(CLEAR);
    expect(await later(CLEAR)).toMatchObject({ ended: 0 });
    await beat("0 seconds");
    await turn();
    expect(await later(CLEAR)).toMatchObject({ ended: 1 });
  });

  it("an invariant is red by its last check; one that did not end says nothing", async () => {
    const check = (violations: number | null) =>
      desk.rows(
        `insert into onceboard.invariant_checks (tenant_id, name, checked_at, violations, capped, duration_ms, examples)
         values ('acme', 'one_execution_per_key', clock_timestamp(), $1, false, 1, '[]')`,
        violations,
      );
    await check(2);
    await opened();
    expect(await openTitles()).toEqual([
      ["Invariant one_execution_per_key is violated: 2 counterexamples, limit 1", "/invariants#one_execution_per_key"],
    ]);
    await check(null);
    await later(CLEAR);
    expect(await later(CLEAR)).toMatchObject({ ended: 0 });
    await check(0);
    await turn();
    expect(await later(CLEAR)).toMatchObject({ ended: 1 });
  });

  it("an alert that cannot be delivered dies, and is no reason for another alert", async () => {
    await destination("slack");
    await die(1);
    await opened();
    receiver.answer(() => ({ status: 400 }));
    await relayNow();
    expect(await messages()).toMatchObject([{ state: "dead", code: "alert.http_400" }]);
    await revive();
    await die(1, (await messages())[0]?.topic);
    await turn();
    // The alert was about the other one. Its end waits behind what nobody got.
    expect(await later(CLEAR)).toMatchObject({ ended: 1 });
    await relayNow();
    expect((await messages()).map(({ state }) => state)).toEqual(["dead", "pending"]);
    expect(await opened()).toMatchObject({ opened: 0, told: 0 });
    expect((await readAlerts(admin())).destinations).toMatchObject([{ dead: 1, waiting: 1 }]);
  });
});

describe("ALERT-4 a destination", () => {
  it.each([
    [500, "pending", "alert.destination_unavailable"],
    [429, "pending", "alert.destination_unavailable"],
    [404, "pending", "alert.http_404"],
    [400, "dead", "alert.http_400"],
  ])("that answers %i leaves the message %s", async (status, state, code) => {
    await destination("pagerduty");
    await die(1);
    await opened();
    receiver.answer(() => ({ status }));
    await relayNow();
    expect(await messages()).toMatchObject([{ state, code }]);
  });

  it("that is away costs no attempt, and gets the message once it is back", async () => {
    await destination("email");
    await die(1);
    await opened();
    await relayNow({ mail: { smtpUrl: "smtp://127.0.0.1:1", mailFrom: "alerts@ops.example", dataDir } });
    expect(await messages()).toMatchObject([{ state: "pending", code: "mail.server_unavailable" }]);
    expect((await readAlerts(admin())).destinations).toMatchObject([
      { waiting: 1, lastError: "mail.server_unavailable" },
    ]);
    await desk.rows("update onceboard.outbox_messages set next_attempt_at = '-infinity'");
    const before = catcher.mails.length;
    await relayNow();
    expect(catcher.mails).toHaveLength(before + 1);
  });

  it("inside is refused by name and by address, when it is made and when it is called", async () => {
    const make = (target: string) =>
      createDestination(admin(), click(), { kind: "slack", name: "x", target }, { allowPrivate: false });
    for (const target of [
      "http://hooks.example/x",
      "https://127.0.0.1/x",
      "https://localhost/x",
      "https://u:p@h.example/",
      "x",
    ])
      await expect(make(target), target).rejects.toMatchObject({ code: "validation.alert_target" });
    const wrong = (kind: AlertDestinationKind) =>
      createDestination(admin(), click(), { kind, name: "x", target: "a@b@c" }, { allowPrivate: false });
    await expect(wrong("pagerduty")).rejects.toMatchObject({
      message: "A routing key has 32 letters and digits. Nothing was made.",
    });
    await expect(wrong("email")).rejects.toMatchObject({ message: "It is not an e-mail address. Nothing was made." });
    await destination("slack");
    const before = receiver.got.length;
    await die(1);
    await opened();
    await relayNow({ allowPrivate: false });
    expect(await messages()).toMatchObject([{ state: "pending", code: "alert.unsafe_destination" }]);
    expect(receiver.got).toHaveLength(before);
  });

  it("gets a test by the way of every alert; PagerDuty's incident is ended at once", async () => {
    const [slack, pager] = [await destination("slack"), await destination("pagerduty")];
    const got = receiver.got.length;
    for (const id of [slack, pager]) await testDestination(admin(), click(), id);
    await relayNow();
    await relayNow();
    expect(slackTexts(got).map((text) => text.split("\n")[0])).toEqual(["*Test: This is a test. Nothing is wrong*"]);
    expect(events(got).map(({ event_action: action }) => action)).toEqual(["trigger", "resolve"]);
    expect(events(got)[0]).toMatchObject({ payload: { severity: "info" } });
  });

  it("keeps its address sealed: no row, audit entry, answer or page has it", async () => {
    for (const kind of ["slack", "pagerduty", "email"] as const) await destination(kind);
    const kept = await desk.rows<{ text: string }>(
      `select d::text as text from onceboard.alert_destinations d union all select a::text from onceboard.audit_entries a
       union all select r::text from onceboard.idempotency_requests r`,
    );
    const all = [...kept.map(({ text }) => text), JSON.stringify(await readAlerts(admin()))].join("\n");
    for (const secret of ["secret-token", ROUTING_KEY, "on.call@"]) expect(all).not.toContain(secret);
    expect((await readAlerts(admin())).destinations.map(({ shown }) => shown)).toEqual([
      `${receiver.url}/…`,
      "…cdef",
      "o…@ops.example",
    ]);
  });

  it("that is added while an alert is open gets it once, and what follows", async () => {
    const first = await destination("email");
    await die(2);
    await opened();
    const id = await destination("slack");
    const own = async () =>
      (await messages()).filter(({ topic }) => topic === `alert:slack:${id}`).map(({ type }) => type);
    expect(await own()).toEqual(["alert.opened"]);
    expect((await messages()).map(({ topic }) => topic)).toContain(`alert:email:${first}`);
    expect(await turn()).toMatchObject({ told: 0 });
    await die(2);
    await turn();
    expect(await own()).toEqual(["alert.opened", "alert.worse"]);
    expect((await messages()).filter(({ topic }) => topic === `alert:email:${first}`)).toHaveLength(2);
    const got = receiver.got.length;
    await relayNow();
    await relayNow();
    expect(slackTexts(got).map((text) => text.split("\n")[0])).toEqual([
      "*Alert: 2 dead letters, limit 1*",
      "*Worse: 4 dead letters, limit 1*",
    ]);
  });

  it("that is added gets no alert that nobody was told of yet, that is below its limit again, or of another tenant", async () => {
    await die(1);
    await turn();
    await destination("slack");
    expect(await messages()).toEqual([]);
    await later(HOLD);
    expect(await types()).toEqual(["alert.opened"]);
    await destination("slack", "globex");
    await revive();
    await turn();
    await destination("pagerduty");
    expect(await types()).toEqual(["alert.opened"]);
    await later(CLEAR);
    expect(await types()).toEqual(["alert.opened", "alert.resolved", "alert.resolved"]);
  });

  it("that is added while an alert opens is told of it once, whoever comes first", async () => {
    await die(1);
    await turn();
    await desk.rows("update onceboard.alerts set seen_at = seen_at - $1::interval", HOLD);
    const made = await Promise.all([
      ...Array.from({ length: 4 }, () => destination("email")),
      turn(),
      ...Array.from({ length: 4 }, () => destination("email")),
    ]);
    expect(made).toHaveLength(9);
    const topics = (await messages()).map(({ topic }) => topic);
    expect(topics).toHaveLength(8);
    expect(new Set(topics).size).toBe(8);
  });

  it("that was deleted gets nothing more; there are only so many", async () => {
    const id = await destination("slack");
    await die(1);
    await opened();
    await deleteDestination(admin(), click(), id);
    const before = receiver.got.length;
    await relayNow();
    expect(await messages()).toMatchObject([{ state: "dead", code: "alert.destination_deleted" }]);
    expect(receiver.got).toHaveLength(before);
    for (let made = 0; made < MAX_ALERT_DESTINATIONS; made += 1) await destination("email");
    await expect(destination("email")).rejects.toMatchObject({ code: "alert_destination.limit" });
  });

  it("of one tenant is neither seen nor changed from another, and is told nothing of it", async () => {
    const id = await destination("slack");
    const other = await destination("pagerduty", "globex");
    await expect(deleteDestination(admin("globex"), click(), id)).rejects.toMatchObject({ status: 404 });
    await expect(testDestination(admin("globex"), click(), id)).rejects.toMatchObject({ status: 404 });
    expect((await readAlerts(admin("globex"))).destinations.map((one) => one.id)).toEqual([other]);
    for (const verb of ["viewer", "operator", "approver", "auditor"] as const)
      await expect(deleteDestination(desk.context(verb), click(), id)).rejects.toMatchObject({ status: 403 });
    await die(1);
    expect(await opened()).toMatchObject({ told: 1 });
    expect((await messages()).map(({ topic }) => topic)).toEqual([`alert:slack:${id}`]);
    expect(
      await claimOutbox(admin("globex").db.pool, {
        ...{ tenantId: "globex", topic: `alert:slack:${id}`, owner: "x", leaseMs: 1_000, limit: 10 },
      }),
    ).toEqual([]);
  });
});

describe("ALERT-2 a rule", () => {
  it("that is turned off while its alert is open says so, and not that it is over", async () => {
    await destination("slack");
    await die(1);
    await opened();
    const got = receiver.got.length;
    await relayNow();
    await set("dead_letters", { enabled: false });
    expect(await turn()).toMatchObject({ ended: 1, told: 1 });
    await relayNow();
    expect(slackTexts(got).at(-1)).toContain("Not watched any more, and not known to be over: dead letters");
    await expect(set("dead_letters", { enabled: false })).resolves.toMatchObject({ answer: { changed: false } });
  });

  it("with a higher limit ends what is below it now", async () => {
    await die(3);
    await opened();
    await set("dead_letters", { limit: 5n });
    await turn();
    expect(await later(CLEAR)).toMatchObject({ ended: 1 });
    expect((await readAlerts(admin())).rules.find(({ condition }) => condition === "dead_letters")).toMatchObject({
      ...{ limit: 5, enabled: true, isDefault: false, updatedBy: "Mira Okafor" },
    });
  });
});
