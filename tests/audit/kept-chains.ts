import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { inTransaction } from "@/db/transaction";
import { chainName } from "@/domain/access/audit-chain";
import { audit } from "@/engine/actions/audit";
import { signAuditWith } from "@/engine/audit/signer";
import { makeKeyPair, signingKeyOf, type SigningKey } from "@/engine/audit/signing-key";
import { createFileSink } from "@/engine/audit/sinks/file-sink";
import { createWitness, type Witness } from "@/engine/audit/witness";
import { createLog } from "@/engine/telemetry/log";
import type { Run } from "./tamper";

export const ACCESS = chainName("", "access");
/** Entries of the rule before, at the beginning of the tenant's chain. */
export const LEGACY = 5;
const TABLES = ["audit_entries", "audit_heads", "audit_checkpoints", "audit_sinks", "audit_chain_checks"] as const;
/** A long while: only what is dangerous, or asked for, makes a checkpoint. */
const NEVER_MS = 1_000_000_000;

/** Two chains with their witness: what a test of tampering needs. */
export interface KeptChains {
  readonly test: TestDatabase;
  readonly key: SigningKey;
  readonly file: string;
  readonly run: Run;
  readonly rows: <R>(text: string, ...values: unknown[]) => Promise<R[]>;
  /** Writes as a process with the key does. */
  write(chain: string, entries: number, action?: "operations.reconcile" | "operations.resolve"): Promise<void>;
  /** As after a restart: it knows what its file says, and what the database does. */
  witness(options?: { readonly everyMs?: number; readonly keys?: readonly SigningKey[] }): Witness;
  keep(): Promise<void>;
  /** All rows as they were kept, and the functions. */
  back(): Promise<void>;
  close(): Promise<void>;
}

export async function openChains(): Promise<KeptChains> {
  const test = await createTestDatabase();
  const directory = await mkdtemp(join(tmpdir(), "onceboard-audit-"));
  const file = join(directory, "checkpoints.ndjson");
  const key = signingKeyOf(makeKeyPair().privatePem, "the key of this test");
  const log = createLog("silent");
  const run: Run = (text, ...values) => test.db.pool.query({ text, values });
  const rows = async <R>(text: string, ...values: unknown[]): Promise<R[]> =>
    (await test.db.pool.query<R & Record<string, unknown>>({ text, values })).rows;
  await run("insert into onceboard.tenants (id, name) values ('acme', 'Acme')");
  const functions = await rows<{ text: string }>(
    `select pg_get_functiondef(p.oid) as text from pg_proc p
     where p.pronamespace = 'onceboard'::regnamespace and p.proname in ('verify_audit_part', 'audit_entry_hash')`,
  );
  const ledger: KeptChains = {
    test,
    key,
    file,
    run,
    rows,
    async write(chain, entries, action = "operations.reconcile") {
      signAuditWith(key);
      try {
        for (let n = 0; n < entries; n += 1) {
          const subject =
            chain === ACCESS ? { type: "operator", id: "op-2" } : { type: "operation", id: `op ${String(n)}` };
          const actor = { kind: "operator", id: "op-1", name: 'Mira "M" Ok\u00e4for\n', role: "admin" } as const;
          const facts = {
            before: { state: "UNKNOWN", n, list: [1.5, -0, 1e21, 1e-7, null] },
            after: { "10": 1, b: "\u0001é€😀/" },
          };
          await inTransaction(test.db, (tx) =>
            audit({ tenantId: chain, actor, requestId: `req-${String(n)}` }, tx, {
              action,
              subject,
              reason: "why",
              ...facts,
            }),
          );
        }
      } finally {
        signAuditWith(undefined);
      }
    },
    witness({ everyMs = NEVER_MS, keys = [key] } = {}) {
      const known = new Map([key, ...keys].map(({ publicKey }) => [publicKey.id, publicKey]));
      const sinks = [createFileSink(file)];
      const [newest = key] = keys;
      return createWitness({ db: test.db.pool, key: newest, keys: known, sinks, everyMs, log });
    },
    async keep() {
      for (const table of TABLES) await run(`drop table if exists kept_${table}`);
      for (const table of TABLES) await run(`create table kept_${table} as select * from onceboard.${table}`);
      await copyFile(file, `${file}.kept`);
    },
    async back() {
      await run(`truncate ${TABLES.map((table) => `onceboard.${table}`).join(", ")}`);
      for (const table of TABLES)
        await run(`insert into onceboard.${table} overriding system value select * from kept_${table}`);
      for (const { text } of functions) await run(text);
      await copyFile(`${file}.kept`, file);
    },
    async close() {
      await rm(directory, { recursive: true, force: true });
      await test.drop();
    },
  };
  return ledger;
}

/** Entries as a version before wrote them: by the first rule, without a signature. */
export async function writeLegacy({ run }: Pick<KeptChains, "run">, chain: string, entries: number): Promise<void> {
  for (let n = 1; n <= entries; n += 1) {
    await run(
      `with head as (insert into onceboard.audit_heads as h (tenant_id, sequence, hash) values ($1, 0, sha256(convert_to($1, 'utf8')))
         on conflict (tenant_id) do update set sequence = h.sequence returning h.*),
       made as (select h.sequence + 1 as sequence, h.hash as previous, clock_timestamp() as at from head h)
       insert into onceboard.audit_entries (tenant_id, id, sequence, at, actor_kind, actor_id, actor_name, action, subject_type, subject_id,
         reason, after, request_id, previous_hash, hash)
       select $1, gen_random_uuid(), m.sequence, m.at, 'operator', 'op-1', 'Mira', 'operations.resolve', 'operation', 'old', 'why', '{"a": 1.50}', 'req',
         m.previous, onceboard.audit_hash(m.previous, $1, m.sequence, m.at, 'operator', 'op-1', 'Mira', 'operations.resolve', 'operation', 'old',
           'why', null, '{"a": 1.50}', null, 'req') from made m`,
      chain,
    );
    await run(
      `update onceboard.audit_heads h set sequence = a.sequence, hash = a.hash from onceboard.audit_entries a
       where a.tenant_id = h.tenant_id and h.tenant_id = $1 and a.sequence = (select max(sequence) from onceboard.audit_entries where tenant_id = $1)`,
      chain,
    );
  }
}
