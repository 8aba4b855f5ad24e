import { describe, expect, it } from "vitest";
import { parseConfig } from "@/domain/config";
import { loadModules } from "@/engine/module/load";
import source from "@/onceboard.config";
import { buildEnvironment, childrenOf, leanEnvironment } from "./child-environment";

/** Everything that `.env.example` names and somebody must not learn. */
const SECRETS = {
  DATABASE_URL: "postgres://me:s3cret@db/x",
  SECRET: "s3cret".padEnd(40, "x"),
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
  STRIPE_SECRET_KEY: "sk_test_s3cret",
  SMTP_URL: "smtp://me:s3cret@mail:587",
  MAIL_FROM: "a@example.com",
  NATS_URL: "nats://me:s3cret@nats:4222",
  RABBITMQ_URL: "amqp://me:s3cret@rabbit",
  OIDC_CLIENT_SECRET: "s3cret",
  METRICS_TOKEN: "s3cret-s3cret-s3cret",
  AWS_SECRET_ACCESS_KEY: "s3cret",
  SOMETHING_OF_THE_TEAM: "s3cret",
  HTTPS_PROXY: "http://me:s3cret@proxy",
};
const MACHINE = { PATH: "/bin", HOME: "/home/me", LC_ALL: "C", NODE_ENV: "production", DATA_DIR: "/data" } as const;
const env: NodeJS.ProcessEnv = { ...SECRETS, ...MACHINE, SANDBOX_SEED: "7", BASE_PATH: "/ops", NEXT_PUBLIC_X: "1" };

describe("RUN-7 a child gets the variables that it needs", () => {
  const settings = parseConfig(env);
  const children = childrenOf(env, loadModules(source, settings).processes);

  it("the pretend provider: its port, its own secret and nothing of ours", () => {
    const [sandbox] = children;
    expect(sandbox?.name).toBe("sandbox");
    expect(Object.keys(sandbox?.env ?? {}).toSorted()).toEqual([
      ...["DATA_DIR", "HOME", "LC_ALL", "NODE_ENV", "PATH"],
      ...["SANDBOX_PORT", "SANDBOX_SEED", "SANDBOX_WEBHOOK_SECRET", "SANDBOX_WEBHOOK_URL"],
    ]);
    const values = JSON.stringify(sandbox?.env);
    for (const secret of ["s3cret", SECRETS.ENCRYPTION_KEYS]) expect(values).not.toContain(secret);
  });

  it("serve and worker: what the configuration of the team may read", () => {
    expect(children.map(({ name }) => name)).toEqual(["sandbox", "serve", "worker"]);
    for (const child of children.slice(1)) expect(child.env).toMatchObject(SECRETS);
  });

  it("the build of the console, and any other program, no secret", () => {
    expect(buildEnvironment(env)).toEqual({
      ...{ PATH: "/bin", HOME: "/home/me", LC_ALL: "C", NODE_ENV: "production" },
      ...{ BASE_PATH: "/ops", NEXT_PUBLIC_X: "1" },
    });
    expect(JSON.stringify(leanEnvironment(env))).not.toContain("s3cret");
  });
});
