import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { holdsFor, propertyTimeout } from "@/db/testing/property-runs";
import { messageWorlds, writeWorld, type MessageWorld } from "@/console/testing/message-world";
import { PLACE_ORACLE, placeOracleQuery } from "@/console/testing/place-oracle";
import { claimWords } from "@/domain/page-claim";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import type { MessageSide } from "@/domain/messages/side";
import { TOPIC_DIALOG_CLAIMS } from "@/presentation/message/place-verdict";
import { placesVerdict } from "@/presentation/message/places-verdict";
import type { PlacesView } from "@/presentation/views/places";
import { parseInboxFilters, parseOutboxFilters } from "@/presentation/filters/parsers";
import { listInbox, listOutbox } from "./list-messages";
import { listConsumers, readConsumer } from "./read-consumer";
import { listTopics, readTopic } from "./read-topic";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const HERE = { fallback: "http" } as Parameters<typeof listTopics>[1];

/** A sentence, where it stands and when it was read. */
interface Said {
  readonly side: MessageSide;
  readonly at: string;
  readonly place?: string | undefined;
  readonly sentence: string;
  /** Places by the names that sentences call them. */
  readonly names: ReadonlyMap<string, string>;
}

/** Exactly one oracle is about each sentence, and it must hold. @returns what is wrong with it */
async function wrong(tenant: string, { side, at, place, sentence, names }: Said): Promise<string[]> {
  const meant = PLACE_ORACLE.flatMap(([pattern, sql]) => {
    const found = new RegExp(pattern).exec(sentence);
    return found === null
      ? []
      : [{ sql, captured: found.slice(1).map((each) => (each as string | undefined) ?? null) }];
  });
  const [only] = meant;
  if (only === undefined || meant.length > 1) return [`${String(meant.length)} predicates: ${sentence}`];
  const named = names.get(only.captured[0] ?? "") ?? null;
  const [row] = await desk.rows<{ holds: boolean }>(
    placeOracleQuery(only.sql),
    ...[tenant, at, side, place ?? null, named, only.captured],
  );
  return row?.holds === true ? [] : [`not so of ${place ?? side}: ${sentence}`];
}

async function saidOfPlaces(tenant: string): Promise<readonly Said[]> {
  const ctx = desk.context("operator", tenant);
  const topics = await listTopics(ctx, HERE);
  const consumers = await listConsumers(ctx);
  const ofList = (view: PlacesView): Said[] =>
    placesVerdict(view).clauses.map(({ text }) => ({ ...of(view, undefined), at: view.at, sentence: text }));
  const of = ({ side, rows }: PlacesView, place: string | undefined) => ({
    side,
    place,
    names: new Map(rows.map((row) => [row.label, row.place])),
  });
  const said = [...ofList(topics), ...ofList(consumers)];
  for (const { place } of topics.rows) {
    const page = await readTopic(ctx, HERE, { topic: place });
    if (page === undefined) continue;
    const { at, row, chart } = page;
    const asked = claimWords(TOPIC_DIALOG_CLAIMS, { row, at, rolledUpMs: chart.rolledUpMs });
    for (const sentence of [...page.verdict.clauses.map(({ text }) => text), ...asked])
      said.push({ ...of(topics, place), at, sentence });
  }
  for (const { place } of consumers.rows) {
    const page = await readConsumer(ctx, { consumer: place });
    for (const { text } of page?.verdict.clauses ?? [])
      said.push({ ...of(consumers, place), at: page?.at ?? "", sentence: text });
  }
  return said;
}

const rows = <R>(text: string, ...values: unknown[]): Promise<R[]> => desk.rows<R>(text, ...values);

/** What waits at one of its places was stopped before it was sent, as the relay leaves it. */
async function stopSome(tenant: string): Promise<void> {
  await rows(
    `update onceboard.outbox_messages set last_error_code = 'webhook.endpoint_down', attempts_finished = 0
     where tenant_id = $1 and state = 'pending' and topic like 'webhook:%' and locked_until is null`,
    tenant,
  );
}

async function falseSentences(world: MessageWorld, stopped: boolean): Promise<readonly string[]> {
  const tenant = await writeWorld(rows, world);
  if (stopped) await stopSome(tenant);
  const found = [];
  for (const each of await saidOfPlaces(tenant)) found.push(...(await wrong(tenant, each)));
  return found;
}

it("MESSAGE-7 says that a side could not be counted where its count takes too long, and lists it all the same", async () => {
  const unlock = await desk.lock("metric_buckets");
  const [outbox, inbox] = await Promise.all([
    listOutbox(desk.context(), { filters: parseOutboxFilters({}).filters }),
    listInbox(desk.context(), { filters: parseInboxFilters({}).filters }),
  ]);
  await unlock();
  expect([outbox.verdict.text, inbox.verdict.text]).toEqual([
    "The outbox could not be counted in time.",
    "The inbox could not be counted in time.",
  ]);
  expect([outbox.list.kind, inbox.list.kind]).toEqual(["page", "page"]);
  const again = await listOutbox(desk.context(), { filters: parseOutboxFilters({}).filters });
  expect(again.verdict.text).not.toContain("could not be counted");
}, 20_000);

describe("MESSAGE-1 every sentence about topics and consumers is true of the rows", () => {
  it("whatever waits, failed, is dead, paused or stopped there", { timeout: propertyTimeout() }, async () => {
    let turn = 0;
    await holdsFor(messageWorlds, { runs: 60 }, async (world) => {
      turn += 1;
      expect(await falseSentences(world, turn % 3 === 0)).toEqual([]);
    });
  });

  it("and a false one is found", async () => {
    const tenant = await writeWorld(rows, { places: [], messages: [], rolledUp: false });
    const at = new Date().toISOString();
    const names = new Map([["payments", "payments"]]);
    const planted = [
      "3 messages wait.",
      "the oldest for 3 minutes.",
      "1 message is dead.",
      "Topic payments paused 4 minutes ago: 12 wait, none is lost.",
      "Topic payments: 2 failing, tried again now.",
      "Published 2 messages in the last hour.",
      "All is well.",
    ];
    for (const sentence of planted)
      expect(await wrong(tenant, { side: "outbox", at, place: "payments", sentence, names })).toHaveLength(1);
    const true_ = "Nothing waits in the outbox.";
    expect(await wrong(tenant, { side: "outbox", at, sentence: true_, names })).toEqual([]);
  });
});
