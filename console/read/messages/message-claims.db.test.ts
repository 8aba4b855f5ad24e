import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseDeadLetterFilters, parseInboxFilters, parseOutboxFilters } from "@/presentation/filters/parsers";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { MESSAGE_ORACLE, oracleQuery, TENANT_ORACLE, tenantOracleQuery } from "@/console/testing/message-oracle";
import { messageWorlds, writeWorld, type MessageWorld } from "@/console/testing/message-world";
import { readOverview } from "@/console/read/deployment/read-overview";
import { OUTLOOKS, OUTLOOK_WORDS } from "@/domain/messages/requeue-outlook";
import { deadLettersVerdict, groupAdvice } from "@/presentation/message/dead-letters-verdict";
import { outlookCountsText, type OutlookCounts } from "@/presentation/message/outlook";
import type { Hint } from "@/presentation/message/safe-to-act";
import { listDeadLetters } from "./list-dead-letters";
import { listInbox, listOutbox } from "./list-messages";
import { readInboxMessage, readOutboxMessage } from "./read-message";

const RUNS = 60;

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
  held(MESSAGE_ORACLE, sentence, async (sql, captured) => {
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
  return open.filter((text) => !/^(Outlook|\d+ (?:is|are) safe|\d+ cannot)/.test(text));
}

async function falseSentences(world: MessageWorld): Promise<readonly string[]> {
  const tenant = await writeWorld(rows, world);
  const said = await saidOfMessages(tenant);
  const overview = await readOverview(context(tenant), {});
  const ofAll = [
    ...overview.verdict.clauses.map(({ text }) => text),
    ...overview.notes,
    ...(await checkDeadLetters(tenant, said)),
  ];
  const wrong = [];
  for (const each of said) wrong.push(await aboutMessage(each, tenant));
  for (const sentence of ofAll) wrong.push(await aboutTenant(sentence, tenant));
  return wrong.filter((each) => each !== undefined);
}

describe("MESSAGE-7 every sentence about messages is true of the rows", () => {
  it("in every state, of every cause, at places in every state", { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(messageWorlds, async (world) => {
        expect(await falseSentences(world)).toEqual([]);
      }),
      { numRuns: RUNS, interruptAfterTimeLimit: 240_000 },
    );
  });

  it("and a false one is found", async () => {
    const tenant = await writeWorld(rows, { places: [], messages: [], rolledUp: false });
    expect(await aboutTenant("3 messages are dead.", tenant)).toBe("not so: 3 messages are dead.");
    expect(await aboutTenant("The ledger is behind: 1 event for it waits, 9 minutes old.", tenant)).toMatch(/^not so/);
    expect(await aboutTenant("Everything is fine.", tenant)).toMatch(/^no predicate/);
  });
});
