import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createTestDatabase } from "@/db/testing/test-database";
import { seedDemo } from "./seed-demo";

const LIMIT_MS = 180_000;
const noStore = { keyStore: "env", keyStoreDir: "", keyStoreUrl: undefined } as const;
const ROLES = ["admin", "operator", "approver"];

it(
  "fills both tenants, keeps their merchants' secrets once, and goes on until now (DEMO-1)",
  async () => {
    const test = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), "onceboard-seed-"));
    const lines: string[] = [];
    try {
      await test.db.pool.query(
        "insert into onceboard.tenants (id, name) values ('acme', 'Acme'), ('globex', 'Globex')",
      );
      const encryptionKeys = `k1:${randomBytes(32).toString("base64")}`;
      const config = {
        databaseUrl: test.ownerUrl,
        encryptionKeys,
        secret: "of this test",
        bodyTtlHours: 72,
        dataDir,
        ...noStore,
      };
      const operators = ROLES.map((role) => ({
        id: role,
        name: role,
        email: `${role}@example.com`,
        password: "x",
        role,
      }));
      const begin = () => seedDemo(config, { operators }, 0.05, (line) => lines.push(line));
      await (await begin()).catchUp();
      expect(lines.filter((line) => line.includes("was made in"))).toHaveLength(2);
      const kept = JSON.parse(await readFile(join(dataDir, "demo-merchants.json"), "utf8")) as {
        readonly port: number;
        readonly merchants: readonly { readonly tenant: string }[];
      };
      expect(kept.merchants.map(({ tenant }) => tenant).sort()).toEqual(["acme", "globex"]);
      const { rows } = await test.db.pool.query<{ url: string }>({
        text: "select url from onceboard.webhook_endpoints order by tenant_id",
      });
      expect(rows).toEqual(
        ["acme", "globex"].map((tenant) => ({ url: `http://127.0.0.1:${String(kept.port)}/${tenant}` })),
      );
      lines.length = 0;
      await (await begin()).catchUp();
      expect(lines.filter((line) => line.includes("was made in"))).toEqual([]);
    } finally {
      await test.drop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
  LIMIT_MS,
);
