import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 as uuidv7 } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { claimOutbox } from "@/db/messages/claim-messages";
import { outboxBody } from "@/engine/outbox/envelope";
import { execute } from "@/engine/execute/execute";
import { createConsumers } from "@/tests/support/payments";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";
import { startMailCatcher, type MailCatcher } from "@/tests/support/mail-catcher";
import { openPostOffice, type PostOffice } from "@/tests/support/post-office";
import { createMailTransport } from "./mail-transport";

const FROM = "Example Shop <receipts@shop.example>";
const ADDRESS = "pay.er+one@example.org";

let env: TestEnvironment;
let catcher: MailCatcher;
let office: PostOffice;
let dataDir: string;
beforeAll(async () => {
  env = await createTestEnvironment();
  catcher = await startMailCatcher();
  dataDir = await mkdtemp(join(tmpdir(), "onceboard-mail-"));
  office = officeBy(catcher.url);
  await openAccount("with", ADDRESS);
  await openAccount("without", undefined);
  await office.settle();
});
afterAll(async () => {
  await catcher.close();
  await env.close();
  await rm(dataDir, { recursive: true, force: true });
});
afterEach(() => {
  catcher.say({});
});

const transportBy = (smtpUrl: string | undefined) => createMailTransport({ smtpUrl, mailFrom: FROM, dataDir });
function officeBy(smtpUrl: string | undefined): PostOffice {
  return openPostOffice({
    context: () => env.context(),
    rows: (text, ...values) => env.rows(text, ...values),
    consumers: createConsumers(env.registry),
    mail: transportBy(smtpUrl),
  });
}
const openAccount = (accountId: string, email: string | undefined) =>
  execute(env.context(), env.operations.createAccount, {
    key: uuidv7(),
    command: { accountId, currency: "EUR", email },
    receivedAt: performance.now(),
  });
async function pay(accountId: string, amountMinor = 4_200n): Promise<string> {
  const answer = await execute(env.context(), env.operations.createPayment, {
    key: uuidv7(),
    command: { accountId, amountMinor, currency: "EUR", channel: "web", merchantReference: undefined },
    receivedAt: performance.now(),
  });
  if (answer.outcome !== "executed") throw new Error(answer.outcome);
  return answer.operation.operationId;
}
const receiptOf = async (operationId: string) =>
  (
    await env.rows<{ notification_key: string; state: string; attempts: number; outbox_id: string | null }>(
      "select notification_key, state, attempts, outbox_id from onceboard.notifications where operation_id = $1",
      operationId,
    )
  )[0];
const carrier = async (outboxId: string | null | undefined) =>
  (
    await env.rows<{
      state: string;
      last_error_code: string | null;
      attempts_started: number;
      transport: string | null;
    }>(
      `select state, last_error_code, attempts_started, null as transport from onceboard.outbox_messages where id = $1
       union all select 'published', last_error_code, attempts_started, transport from onceboard.outbox_history where id = $1`,
      outboxId ?? null,
    )
  )[0];

describe("CONSUMER-2 a receipt by mail", () => {
  it("leaves once per payment, to the account's address, with a Message-ID of its notification", async () => {
    const before = catcher.mails.length;
    const operationId = await pay("with");
    await office.settle();
    const receipt = await receiptOf(operationId);
    expect(receipt).toMatchObject({ state: "sent", attempts: 1 });
    expect(await carrier(receipt?.outbox_id)).toMatchObject({ state: "published", transport: "mail" });
    const [mail, ...more] = catcher.mails.slice(before);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      from: "receipts@shop.example",
      to: [ADDRESS],
      messageId: `<${receipt?.notification_key ?? ""}@shop.example>`,
    });
    expect(mail?.raw).toContain("Subject: Receipt: 42.00 EUR");
    expect(mail?.raw).toContain("We received your payment of 42.00 EUR.");
  });

  it("is kept and skipped where there is no address", async () => {
    const before = catcher.mails.length;
    const operationId = await pay("without");
    await office.settle();
    expect(await receiptOf(operationId)).toMatchObject({ state: "skipped", outbox_id: null });
    expect(catcher.mails).toHaveLength(before);
    expect(
      await env.rows(
        "select result from onceboard.inbox_messages where operation_id = $1 and consumer = 'receipts'",
        operationId,
      ),
    ).toEqual([{ result: "kept, no address" }]);
  });

  it("goes to an address that is kept sealed, and one that was kept in clear is sealed on that occasion", async () => {
    const kept = () =>
      env.rows<{ email: string | null; sealed: Buffer | null }>(
        "select email, email_sealed as sealed from payments.accounts where id = 'from before'",
      );
    await openAccount("from before", undefined);
    await env.rows("update payments.accounts set email = 'old@example.com' where id = 'from before'");
    for (const round of [1, 2]) {
      const before = catcher.mails.length;
      await pay("from before", BigInt(round) * 100n);
      await office.settle();
      expect(catcher.mails.slice(before).map(({ to }) => to)).toEqual([["old@example.com"]]);
      const [row] = await kept();
      expect(row?.email).toBeNull();
      expect(row?.sealed?.includes("old@example.com")).toBe(false);
    }
    const all = await env.rows<{ email: string | null }>("select email from payments.accounts");
    expect(all.map(({ email }) => email).filter((email) => email !== null)).toEqual([]);
    // Bound to its account: nobody moves an address to another one.
    const [row] = await kept();
    const { keyring } = env.context();
    await expect(
      keyring.openPersonal("acme", row?.sealed ?? Buffer.alloc(0), ["account email", "with"]),
    ).rejects.toThrow();
    await expect(
      keyring.openPersonal("globex", row?.sealed ?? Buffer.alloc(0), ["account email", "from before"]),
    ).rejects.toThrow();
  });

  it("has its address in no event, no message, no inbox row and no notification", async () => {
    const tables = [
      "outbox_messages",
      "outbox_history",
      "inbox_messages",
      "inbox_open",
      "notifications",
      "idempotency_events",
      "audit_entries",
    ];
    for (const table of tables) {
      const found = await env.rows(`select 1 from onceboard.${table} t where t::text ilike '%pay.er%' limit 1`);
      expect([table, found]).toEqual([table, []]);
    }
  });

  it("CONSUMER-5 sent again after a crash between the server's yes and our mark: same Message-ID, same bytes, sent once in our books", async () => {
    const before = catcher.mails.length;
    const operationId = await pay("with", 777n);
    // The event gets to the inbox and is handled; the mail waits.
    await openPostOffice({
      context: () => env.context(),
      rows: (text, ...values) => env.rows(text, ...values),
      consumers: createConsumers(env.registry),
    }).settle();
    const receipt = await receiptOf(operationId);
    await env.rows(
      "update onceboard.outbox_messages set next_attempt_at = '-infinity' where id = $1",
      receipt?.outbox_id,
    );
    const ctx = env.context({ instance: "dies" });
    const claimed = await claimOutbox(ctx.db.pool, {
      tenantId: "acme",
      topic: "mail",
      owner: "dies",
      leaseMs: 60_000,
      limit: 9,
    });
    const mine = claimed.find(({ id }) => id === receipt?.outbox_id);
    if (mine === undefined) throw new Error("the mail was not claimed");
    const body = outboxBody("acme", mine);
    expect(
      await transportBy(catcher.url).deliver(
        ctx,
        { id: mine.id, topic: "mail", type: mine.type, body, headers: {} },
        { timeoutMs: 2_000, destination: undefined },
      ),
    ).toEqual({ kind: "acknowledged" });
    expect(await receiptOf(operationId)).toMatchObject({ state: "pending" });
    await env.rows("update onceboard.outbox_messages set locked_until = now() - interval '1 s' where id = $1", mine.id);
    await office.settle();
    const [first, second, ...more] = catcher.mails.slice(before);
    expect(more).toEqual([]);
    expect(second?.messageId).toBe(first?.messageId);
    const withoutHops = (raw: string | undefined) => raw?.replace(/^Received:.*$/gim, "");
    expect(withoutHops(second?.raw)).toBe(withoutHops(first?.raw));
    expect(await receiptOf(operationId)).toMatchObject({ state: "sent", attempts: 2 });
    expect(await env.rows("select count(*)::int as n from onceboard.outbox_history where id = $1", mine.id)).toEqual([
      { n: 1 },
    ]);
  });

  it("INBOX-4 handler effects commit with the inbox row: thrown after both writes, neither is there", async () => {
    const operationId = await pay("with", 888n);
    await office.relayOnce();
    // The account's own table refuses late: whatever the handler wrote goes with it.
    await env.rows(
      `create function onceboard.test_refuse() returns trigger language plpgsql as $$ begin raise exception 'refused by the test'; end $$`,
    );
    await env.rows(
      `create trigger test_refuse before insert on onceboard.outbox_messages for each row when (new.topic = 'mail') execute function onceboard.test_refuse()`,
    );
    try {
      await office.settle();
      expect(await receiptOf(operationId)).toBeUndefined();
      const [row] = await env.rows<{ state: string; attempts_finished: number }>(
        "select state, attempts_finished from onceboard.inbox_messages where operation_id = $1 and consumer = 'receipts'",
        operationId,
      );
      expect(row).toMatchObject({ state: "recorded", attempts_finished: 1 });
      // Its neighbours in the same batch are done: the ledger has its entry, and only the receipt is missing.
      expect(
        await env.rows("select entry_type from payments.ledger_entries where operation_id = $1", operationId),
      ).toEqual([{ entry_type: "payment" }]);
    } finally {
      await env.rows("drop trigger test_refuse on onceboard.outbox_messages");
      await env.rows("drop function onceboard.test_refuse()");
    }
    await office.hurry();
    await office.settle();
    expect(await receiptOf(operationId)).toMatchObject({ state: "sent" });
    expect(
      await env.rows("select entry_type from payments.ledger_entries where operation_id = $1", operationId),
    ).toHaveLength(1);
  });
});

describe("a mail server that", () => {
  const afterTrouble = async (url = catcher.url) => {
    const operationId = await pay("with", 55n);
    await officeBy(url).settle();
    const receipt = await receiptOf(operationId);
    return { receipt, message: await carrier(receipt?.outbox_id), operationId };
  };
  const recovers = async (operationId: string) => {
    catcher.say({});
    await office.hurry();
    await office.settle();
    expect(await receiptOf(operationId)).toMatchObject({ state: "sent" });
  };

  it("is not there lets all mails rest, which is no attempt", async () => {
    const gone = await startMailCatcher();
    await gone.close();
    const { message, operationId } = await afterTrouble(gone.url);
    expect(message).toMatchObject({
      state: "pending",
      last_error_code: "mail.server_unavailable",
      attempts_started: 0,
    });
    await recovers(operationId);
  });

  it("does not know our password is an outage as well", async () => {
    const strict = await startMailCatcher({ user: "shop", password: "right" });
    try {
      const { message, operationId } = await afterTrouble(strict.url.replace("right", "wrong"));
      expect(message).toMatchObject({
        state: "pending",
        last_error_code: "mail.server_unavailable",
        attempts_started: 0,
      });
      await office.hurry();
      await officeBy(strict.url).settle();
      expect(await receiptOf(operationId)).toMatchObject({ state: "sent" });
      expect(strict.mails).toHaveLength(1);
      expect(strict.logins).toEqual([{ secure: true }, { secure: true }]);
    } finally {
      await strict.close();
    }
  });

  it.each([
    ["offers no TLS", true, ""],
    ["offers no TLS, and the URL wants none", true, "?ignoreTLS=true&opportunisticTLS=true&requireTLS=false"],
    ["has a certificate that nobody signed", undefined, ""],
  ])("%s is told no password", async (_what, plain, query) => {
    const strict = await startMailCatcher({ user: "shop", password: "right", ...(plain && { plain }) });
    try {
      const { message, operationId } = await afterTrouble(strict.url.replace(/\?.*$/, query));
      expect(message).toMatchObject({ state: "pending", attempts_started: 0 });
      expect(message?.last_error_code).toBe(plain ? "mail.tls_required" : "mail.server_unavailable");
      expect([strict.logins, strict.mails]).toEqual([[], []]);
      await recovers(operationId);
    } finally {
      await strict.close();
    }
  });

  it.each([
    ["wants to see the mail again later", { rcptTo: 451 }, "mail.smtp_451"],
    ["refuses our sender", { mailFrom: 550 }, "mail.smtp_550"],
    ["cannot take the content now", { data: 452 }, "mail.smtp_452"],
  ])("%s has it come again", async (_name, said, code) => {
    catcher.say(said);
    const { receipt, message, operationId } = await afterTrouble();
    expect(receipt).toMatchObject({ state: "pending" });
    expect(message).toMatchObject({ state: "pending", last_error_code: code, attempts_started: 1 });
    await recovers(operationId);
  });

  it.each([
    ["does not know the recipient", { rcptTo: 550 }, "mail.smtp_550"],
    ["refuses the content", { data: 554 }, "mail.smtp_554"],
  ])("%s makes it a dead letter at once", async (_name, said, code) => {
    catcher.say(said);
    const { receipt, message } = await afterTrouble();
    expect(receipt).toMatchObject({ state: "pending" });
    expect(message).toMatchObject({ state: "dead", last_error_code: code, attempts_started: 1 });
  });

  it("is shutting down is an outage", async () => {
    catcher.say({ rcptTo: 421 });
    const { message, operationId } = await afterTrouble();
    expect(message).toMatchObject({
      state: "pending",
      last_error_code: "mail.server_unavailable",
      attempts_started: 0,
    });
    await recovers(operationId);
  });

  it("never says yes to the content has it come again, under the same Message-ID", async () => {
    const transport = transportBy(catcher.url);
    catcher.say({ data: "nothing" });
    const operationId = await pay("with", 66n);
    await openPostOffice({
      context: () => env.context(),
      rows: (text, ...values) => env.rows(text, ...values),
      consumers: createConsumers(env.registry),
    }).settle();
    const [row] = await env.rows<{ id: string; outbox_id: string }>(
      "select id, outbox_id from onceboard.notifications where operation_id = $1",
      operationId,
    );
    const said = await transport.deliver(
      env.context(),
      {
        id: row?.outbox_id ?? "",
        topic: "mail",
        type: "notification.receipt",
        body: JSON.stringify({ notificationId: row?.id }),
        headers: {},
      },
      { timeoutMs: 300, destination: undefined },
    );
    expect(said).toMatchObject({ kind: "failed", code: "mail.timeout" });
    const first = catcher.mails.at(-1)?.messageId;
    await recovers(operationId);
    expect(catcher.mails.at(-1)?.messageId).toBe(first);
  });
});

describe("without a mail server", () => {
  it("a receipt is one file, however often it is sent", async () => {
    const operationId = await pay("with", 99n);
    await officeBy(undefined).settle();
    const receipt = await receiptOf(operationId);
    expect(receipt).toMatchObject({ state: "sent" });
    await env.rows("update onceboard.notifications set state = 'pending' where operation_id = $1", operationId);
    const [row] = await env.rows<{ id: string }>(
      "select id from onceboard.notifications where operation_id = $1",
      operationId,
    );
    const again = {
      id: uuidv7(),
      topic: "mail",
      type: "notification.receipt",
      body: JSON.stringify({ notificationId: row?.id }),
      headers: {},
    };
    const name = `${receipt?.notification_key ?? ""}.eml`;
    const first = await readFile(join(dataDir, "mail", "acme", name), "utf8");
    expect(
      await transportBy(undefined).deliver(env.context(), again, { timeoutMs: 500, destination: undefined }),
    ).toEqual({
      kind: "acknowledged",
    });
    const files = (await readdir(join(dataDir, "mail", "acme"))).filter(
      (file) => file.startsWith("receipt_") || file.startsWith("."),
    );
    expect(files.filter((file) => file === name)).toHaveLength(1);
    expect(files.filter((file) => file.startsWith("."))).toEqual([]);
    expect(await readFile(join(dataDir, "mail", "acme", name), "utf8")).toBe(first);
    expect(first).toContain(`To: ${ADDRESS}`);
  });
});

describe("INBOX-7 a notice about another default currency", () => {
  it("is told once per version, and an older one that comes late is told to nobody", async () => {
    await openAccount("moves", "holder@example.org");
    const consumers = createConsumers(env.registry);
    const { receive } = await import("@/engine/inbox/receive");
    const { consume } = await import("@/engine/inbox/consume");
    const arrive = async (version: number, defaultCurrency: string) => {
      const payload = {
        type: "account.default_currency_changed",
        data: { accountId: "moves", defaultCurrency, version },
      };
      const bytes = Buffer.from(JSON.stringify(payload));
      const messageId = uuidv7();
      await receive(env.context(), consumers, {
        source: "onceboard",
        messageId,
        type: payload.type,
        payload,
        payloadBytes: bytes,
        headers: {},
      });
      while ((await consume(env.context(), consumers)).claimed > 0);
      const [row] = await env.rows<{ result: string }>(
        "select result from onceboard.inbox_messages where message_id = $1 and consumer = 'account-notices'",
        messageId,
      );
      return row?.result;
    };
    expect(await arrive(1, "USD")).toBe("ok");
    expect(await arrive(3, "GBP")).toBe("ok");
    expect(await arrive(2, "JPY")).toBe("superseded by a newer version");
    expect(await arrive(3, "GBP")).toBe("superseded by a newer version");
    const notices = await env.rows(
      "select notification_key, detail ->> 'defaultCurrency' as currency from onceboard.notifications where kind = 'notice' order by created_at",
    );
    expect(notices).toEqual([
      { notification_key: "notice_currency_moves_1", currency: "USD" },
      { notification_key: "notice_currency_moves_3", currency: "GBP" },
    ]);
    expect(
      await env.rows("select version::int from onceboard.inbox_versions where aggregate = 'account/moves'"),
    ).toEqual([{ version: 3 }]);
  });
});
