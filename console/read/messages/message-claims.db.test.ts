import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseDeadLetterFilters, parseInboxFilters, parseOutboxFilters } from "@/presentation/filters/parsers";
import { holdsFor, propertyTimeout } from "@/db/testing/property-runs";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import {
  MESSAGE_ORACLE,
  oracleQuery,
  TENANT_ORACLE,
  tenantOracleQuery,
  VERDICT_ORACLE,
} from "@/console/testing/message-oracle";
import { messageTwists, twist, type MessageTwist } from "@/console/testing/message-twists";
import { writeEndings } from "@/console/testing/message-endings";
import { messageWorlds, writeWorld, type MessageWorld } from "@/console/testing/message-world";
import { readOverview } from "@/console/read/deployment/read-overview";
import { OUTLOOKS, OUTLOOK_WORDS } from "@/domain/messages/requeue-outlook";
import { deadLettersVerdict, groupAdvice } from "@/presentation/message/dead-letters-verdict";
import { outlookCountsText, type OutlookCounts } from "@/presentation/message/outlook";
import { messageClauses } from "@/presentation/message/message-verdict";
import type { Hint } from "@/presentation/message/safe-to-act";
import { judgeMessage } from "./judged-rows";
import { listDeadLetters } from "./list-dead-letters";
import { listInbox, listOutbox } from "./list-messages";
import { readInboxMessage, readOutboxMessage } from "./read-message";

const RUNS = 60;
const BUDGET_MS = 25_000;
const DIED = { state: "dead", type: "payment.succeeded", code: "webhook.http_503", age: 5, line: 0 } as const;
const PLACE = { paused: false, successes: [], failures: [] } as const;
/** Held by the ledger but not handled yet: no success that another message of the ledger could follow. */
const RECORDED_ONLY = {
  world: {
    places: [
      { kind: "payments" as const, ...PLACE },
      { kind: "ledger" as const, ...PLACE },
    ],
    messages: [0, 1].map((place) => ({
      ...DIED,
      place,
      deadFor: 5,
      gap: 2,
      diedBefore: true,
      held: "processed" as const,
    })),
    rolledUp: false,
  },
  twists: [0, 1, 2].map(() => ({
    corrected: false,
    operation: "none" as const,
    mismatches: 0,
    unfinished: 0,
    recorded: true,
  })),
};

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const rows = <R>(text: string, ...values: unknown[]): Promise<R[]> => desk.rows<R>(text, ...values);
const context = (tenant: string) => desk.context("operator", tenant);

interface Said {
  readonly id: string;
  readonly side: "outbox" | "inbox";
  readonly place: string;
  readonly sentence: string;
}

/** Every sentence of an oracle that the text matches must hold, and there must be one. */
async function held(
  oracle: typeof MESSAGE_ORACLE,
  text: string,
  ask: (sql: string, captured: readonly (string | null)[]) => Promise<boolean>,
): Promise<string | undefined> {
  const claims = oracle.flatMap(([sentence, sql]) => {
    const [, ...captured] = new RegExp(sentence).exec(text) ?? [undefined];
    return new RegExp(sentence).test(text) ? [{ sql, captured: captured.map((each) => each ?? null) }] : [];
  });
  if (claims.length === 0) return `no predicate: ${text}`;
  for (const { sql, captured } of claims) if (!(await ask(sql, captured))) return `not so: ${text}`;
  return undefined;
}

const aboutMessage = ({ id, side, place, sentence }: Said, tenant: string) =>
  held([...MESSAGE_ORACLE, ...VERDICT_ORACLE], sentence, async (sql, captured) => {
    const [row] = await desk.rows<{ holds: boolean }>(oracleQuery(sql), tenant, id, side, place, captured);
    return row?.holds ?? false;
  });
const aboutTenant = (sentence: string, tenant: string) =>
  held(TENANT_ORACLE, sentence, async (sql, captured) => {
    const [row] = await desk.rows<{ holds: boolean }>(tenantOracleQuery(sql), tenant, captured);
    return row?.holds ?? false;
  });

type Hinted = { readonly [Name in keyof Hint]?: Hint[Name] | undefined };
const sentencesOf = ({ safe, outlook, requeueNot }: Hinted): readonly string[] => [
  ...new Set([safe?.text, outlook?.text, requeueNot].flatMap((text) => (text === undefined ? [] : [text]))),
];

/** What the page of one message opens with. */
async function saidByPage(tenant: string, { id, side, place }: Omit<Said, "sentence">): Promise<readonly Said[]> {
  const message = await (side === "outbox" ? readOutboxMessage : readInboxMessage)(context(tenant), { id });
  const clauses = message === undefined ? [{ text: "No page has it." }] : messageClauses(message);
  return clauses.map(({ text }) => ({ id, side, place, sentence: text }));
}

/** What the pages of all messages of a tenant open with. */
async function saidByPages(tenant: string): Promise<readonly Said[]> {
  const messages = await rows<Omit<Said, "sentence">>(
    `select id::text, 'outbox' as side, topic as place from onceboard.outbox_messages where tenant_id = $1
     union all select id::text, 'outbox', topic from onceboard.outbox_history where tenant_id = $1
     union all select id::text, 'inbox', consumer from onceboard.inbox_messages where tenant_id = $1`,
    tenant,
  );
  const said = [];
  for (const message of messages) said.push(...(await saidByPage(tenant, message)));
  return said;
}

/** What lists, groups and pages say of each message of a tenant. */
async function saidOfMessages(tenant: string): Promise<readonly Said[]> {
  const ctx = context(tenant);
  const said: Said[] = [];
  const add = (side: Said["side"], id: string, place: string, hint: Partial<Hint>): void => {
    for (const sentence of sentencesOf(hint)) said.push({ id, side, place, sentence });
  };
  for (const state of ["open", "discarded"]) {
    const { list } = await listOutbox(ctx, { filters: parseOutboxFilters({ state }).filters });
    if (list.kind !== "page") throw new Error("the outbox is too broad");
    for (const row of list.rows) {
      add("outbox", row.id, row.topic, row);
      const page = await readOutboxMessage(ctx, { id: row.id });
      expect(sentencesOf(page ?? {})).toEqual(sentencesOf(row));
    }
  }
  const { list } = await listInbox(ctx, {
    filters: parseInboxFilters({ state: "recorded,dead,discarded", range: "all" }).filters,
  });
  if (list.kind !== "page") throw new Error("the inbox is too broad");
  for (const row of list.rows) {
    add("inbox", row.id, row.consumer, row);
    const page = await readInboxMessage(ctx, { id: row.id });
    expect(sentencesOf(page ?? {})).toEqual(sentencesOf(row));
  }
  return said;
}

/** What the lists say of all of them: the counts are those of the sentences that were held against the rows. */
async function checkDeadLetters(tenant: string, said: readonly Said[]): Promise<readonly string[]> {
  const ctx = context(tenant);
  const { filters } = parseDeadLetterFilters({ all: "true" });
  const view = await listDeadLetters(ctx, { filters });
  const counted = (start: string): number => said.filter(({ sentence }) => sentence.startsWith(start)).length;
  const outlooks: OutlookCounts = Object.fromEntries<number>(
    OUTLOOKS.map((outlook) => [outlook, counted(`${OUTLOOK_WORDS[outlook]}: `)] as const).filter(([, n]) => n > 0),
  );
  expect(view.outlooks).toEqual(outlooks);
  expect(view.verdicts.safe ?? 0).toBe(counted("Safe"));
  const open = deadLettersVerdict(view).map(({ text }) => text);
  expect(open.filter((text) => text.startsWith("Outlook"))).toEqual(
    outlookCountsText(outlooks) === "" ? [] : [`Outlook: ${outlookCountsText(outlooks)}.`],
  );
  for (const group of view.groups) {
    const opened = await listDeadLetters(ctx, { filters, open: group.key });
    const shown = opened.rows.rows.filter((row) => row.requeuedAt === undefined);
    const safe = shown.filter((row) => row.verdict === "safe").length;
    expect(groupAdvice(group)).toContain(
      safe === 0
        ? "None of"
        : safe === shown.length
          ? safe === 1
            ? "It is safe"
            : `All ${String(safe)} are safe`
          : `${String(safe)} of`,
    );
    for (const row of shown) {
      for (const sentence of sentencesOf(row))
        expect(said.some(({ id, sentence: other }) => id === row.messageId && other === sentence)).toBe(true);
    }
  }
  const waiting = Object.entries(view.verdicts).filter(([verdict]) => verdict !== "safe");
  const rest = waiting.reduce((sum, [, count]) => sum + count, 0);
  expect(open.filter((text) => text.includes("again now"))).toEqual(
    rest === 0 ? [] : [`${String(rest)} would not be sent or handled again now.`],
  );
  return open.filter((text) => !/^(Outlook|\d+ (?:is|are) safe|\d+ would not)/.test(text));
}

/** What a requeue and a discard of every message would be answered, also of those that no list of open ones has. */
async function saidOfActs(tenant: string): Promise<readonly Said[]> {
  const messages = await rows<Omit<Said, "sentence">>(
    `select id, 'outbox' as side, topic as place from onceboard.outbox_messages where tenant_id = $1
     union all select id, 'outbox', topic from onceboard.outbox_history where tenant_id = $1
     union all select id, 'inbox', consumer from onceboard.inbox_messages where tenant_id = $1`,
    tenant,
  );
  const said: Said[] = [];
  for (const { id, side, place } of messages) {
    const { requeue, discard } = await judgeMessage(context(tenant).db.pool, context(tenant), side, id);
    for (const { why, brief } of [requeue, discard])
      for (const sentence of [why, ...(brief === undefined ? [] : [brief])]) said.push({ id, side, place, sentence });
  }
  return said;
}

async function falseSentences(world: MessageWorld, twists: readonly MessageTwist[]): Promise<readonly string[]> {
  const tenant = await writeWorld(rows, world);
  // A success that was rolled up is never undone.
  await twist(
    rows,
    tenant,
    twists.map((each) => ({ ...each, recorded: each.recorded && !world.rolledUp })),
  );
  const said = await saidOfMessages(tenant);
  const overview = await readOverview(context(tenant), {});
  const ofAll = [
    ...overview.verdict.clauses.map(({ text }) => text),
    ...overview.notes,
    ...(await checkDeadLetters(tenant, said)),
  ];
  const wrong = [];
  const all = [...said, ...(await saidOfActs(tenant)), ...(await saidByPages(tenant))];
  const each = new Map(all.map((one) => [`${one.id} ${one.sentence}`, one]));
  for (const one of each.values()) wrong.push(await aboutMessage(one, tenant));
  for (const sentence of ofAll) wrong.push(await aboutTenant(sentence, tenant));
  return wrong.filter((each) => each !== undefined);
}

describe("MESSAGE-7 every sentence about messages is true of the rows", () => {
  it("in every state, of every cause, at places in every state", { timeout: propertyTimeout(BUDGET_MS) }, async () => {
    const cases = fc.record({ world: messageWorlds, twists: messageTwists });
    await holdsFor(cases, { runs: RUNS, budgetMs: BUDGET_MS, always: [RECORDED_ONLY] }, async ({ world, twists }) => {
      expect(await falseSentences(world, twists)).toEqual([]);
    });
  });

  it("on the page of a message that left, arrived, was tried or was discarded", async () => {
    const tenant = await writeWorld(rows, { places: [], messages: [], rolledUp: false });
    await writeEndings(rows, tenant);
    const said = await saidByPages(tenant);
    const wrong = [];
    for (const each of said) wrong.push(await aboutMessage(each, tenant));
    expect(wrong.filter((each) => each !== undefined)).toEqual([]);
    const sentences = new Set(said.map(({ sentence }) => sentence));
    const missed = VERDICT_ORACLE.filter(([text]) => ![...sentences].some((each) => new RegExp(text).test(each)));
    // A topic that is paused and a line are in the generated worlds.
    expect(missed.map(([text]) => text)).toEqual(
      VERDICT_ORACLE.map(([text]) => text).filter((text) => /^\^(?:\(\?:)?Waits/.test(text)),
    );
  });

  it("and a false one is found", async () => {
    const tenant = await writeWorld(rows, { places: [], messages: [], rolledUp: false });
    expect(await aboutTenant("3 messages are dead.", tenant)).toBe("not so: 3 messages are dead.");
    expect(await aboutTenant("The ledger is behind: 1 event for it waits, 9 minutes old.", tenant)).toMatch(/^not so/);
    expect(await aboutTenant("Everything is fine.", tenant)).toMatch(/^no predicate/);
  });

  it("and a false one about a message is found, of each thing that is said of one", async () => {
    const letter = { place: 0, state: "dead", type: "payment.succeeded", code: "webhook.http_503", age: 70 } as const;
    const dead = { ...letter, line: 0, deadFor: 30, gap: 2, diedBefore: false, held: "processed" } as const;
    const paused = { kind: "payments", paused: true, successes: [], failures: [] } as const;
    const tenant = await writeWorld(rows, { places: [paused], messages: [dead], rolledUp: false });
    await twist(rows, tenant, [
      { corrected: false, operation: "unknown", mismatches: 0, unfinished: 0, recorded: false },
    ]);
    const [message] = await saidOfMessages(tenant);
    if (message === undefined) throw new Error("no message");
    for (const sentence of [
      "Safe. No consumer has this id.",
      "Safe. The handler adds only what is missing. 3 attempts never ended: it is handled alone.",
      "ledger processed it on 1 Jan 2026, 10:00:00 UTC and skips another copy.",
      "ledger processed it on 1 Jan 2026, 10:00:00 UTC: it was delivered. Requeue closes it as that.",
      "ledger holds another payload under this id.",
      "It is no longer sent, and nothing waits behind it any more.",
      "ledger no longer handles it, nor a later arrival of its id while its row is kept.",
      "Its id also came with another payload; only the first is handled.",
      "Queued; will be sent automatically.",
      "Queued; will be handled automatically.",
      "A relay holds it until 1 Jan 2026, 10:00:00 UTC.",
      "It was published on 1 Jan 2026, 10:00:00 UTC.",
      "It was corrected: 01a1aaaa-0000-7000-8000-000000000001 took its place.",
      "payments processed it on 1 Jan 2026, 10:00:00 UTC: ok. It is not handled again.",
    ])
      expect(await aboutMessage({ ...message, sentence }, tenant)).toBe(`not so: ${sentence}`);
    expect(await aboutMessage(message, tenant)).toBeUndefined();
  });
});
