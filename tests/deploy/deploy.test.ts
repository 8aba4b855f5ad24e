import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readCompose } from "./compose";
import { lastOf, lineage, readContainerfile, readCopy, readWords } from "./containerfile";
import { readExpression } from "./promql";

const STAGES = readContainerfile(readFileSync("deploy/Containerfile", "utf8"));
const SECRETS = { OWNER_PASSWORD: "a".repeat(20), PROCESS_PASSWORD: "b".repeat(20), SECRET: "c", ENCRYPTION_KEYS: "d" };
const COMPOSE = readFileSync("deploy/compose.yaml", "utf8");
const UNITS = readdirSync("deploy/systemd").map((name) => `deploy/systemd/${name}`);
const SCRIPTS = (JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> }).scripts;

describe("deploy/Containerfile", () => {
  it("names files, stages and scripts that exist", () => {
    const names = STAGES.map(({ name }) => name);
    for (const { instructions } of STAGES) {
      for (const { name, text } of instructions) {
        if (name === "COPY") {
          const { from, sources } = readCopy(text);
          if (from === undefined) expect(sources.filter((path) => !existsSync(path))).toEqual([]);
          else expect(names).toContain(from);
        }
        for (const [, script = ""] of text.matchAll(/npm run ([\w:-]+)/g))
          expect(Object.keys(SCRIPTS)).toContain(script);
      }
    }
  });

  it.each(["example", "onceboard"])("%s runs as nobody of the machine and has a health check", (stage) => {
    expect(lastOf(STAGES, stage, "USER")).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(readWords(lastOf(STAGES, stage, "HEALTHCHECK"))).toEqual(["node", "/app/health.mjs"]);
  });

  it("leaves compilers and what tests need in other stages", () => {
    const built = lineage(STAGES, "onceboard").flatMap(({ instructions }) => instructions);
    expect(built.filter(({ text }) => /npm (ci|run)/.test(text))).toEqual([]);
    expect(STAGES.at(-1)?.name).toBe("onceboard");
  });

  it("is built in the format that keeps its health check, as the page says it", () => {
    const builds = readFileSync("deploy/README.md", "utf8").match(/^(?:buildah|podman) build .*$/gm) ?? [];
    expect(builds.length).toBeGreaterThan(0);
    expect(builds.filter((line) => !line.includes("--format docker"))).toEqual([]);
  });

  it("is given nothing that git does not know", () => {
    const left = new Set(readFileSync(".dockerignore", "utf8").split("\n"));
    const made = readFileSync(".gitignore", "utf8")
      .split("\n")
      .map((line) => line.replace(/\/$/, ""))
      // Harmless leftovers, which no stage reads.
      .filter((line) => line !== "" && !/\*\.tsbuildinfo|next-env|__pycache__|tests\//.test(line));
    expect([...made, ".git"].filter((line) => !left.has(line))).toEqual([]);
  });

  it.each(["RUN npm ci", "FROM a", "ADD x /x", "FROM a AS b\nARG C=1"])("is read whole: %s is refused", (text) => {
    expect(() => readContainerfile(text)).toThrow("is beyond this test");
  });
});

describe("deploy/compose.yaml", () => {
  const services = readCompose(COMPOSE, SECRETS);

  it("gives the owner of the tables to migrate alone, and read-only roots to all of ours", () => {
    for (const [name, service] of Object.entries(services)) {
      if (name === "postgres") continue;
      expect([name, service.read_only, service.cap_drop]).toEqual([name, true, ["ALL"]]);
      expect([name, "MIGRATE_DATABASE_URL" in service.environment]).toEqual([name, name === "migrate"]);
      expect(new URL(service.environment["DATABASE_URL"] ?? "").username).toBe("onceboard_process");
      expect(STAGES.map((stage) => stage.name)).toContain(service.build?.target);
    }
  });

  it.each(["serve", "worker"])(
    "asks after the health of %s as the image does, whatever the image's format keeps",
    (name) => {
      expect(services[name]?.healthcheck?.test).toEqual([
        "CMD",
        ...readWords(lastOf(STAGES, "example", "HEALTHCHECK")),
      ]);
    },
  );

  it.each(Object.keys(SECRETS))("does not start without %s", (missing) => {
    const rest = Object.fromEntries(Object.entries(SECRETS).filter(([name]) => name !== missing));
    expect(() => readCompose(COMPOSE, rest)).toThrow(`\${${missing}:?} is not set`);
  });
});

const analyze = (...words: readonly string[]): string => {
  // It speaks on the second stream, and a warning is no failure of its own.
  return execFileSync("sh", ["-c", '"$@" 2>&1', "sh", "systemd-analyze", ...words], { encoding: "utf8" });
};
const systemd = existsSync("/usr/bin/systemd-analyze");

describe.skipIf(!systemd)("deploy/systemd", () => {
  it.each(UNITS)("%s is a unit without a warning", (path) => {
    // The program of the unit may stand elsewhere on this machine.
    const said = analyze("verify", path).split("\n");
    expect(said.filter((line) => line !== "" && !/Command .* is not executable/.test(line))).toEqual([]);
  });

  it.each(UNITS)("%s is hardened: an exposure of at most 2.0 of 10", (path) => {
    expect(() => analyze("security", "--offline=true", "--threshold=20", path)).not.toThrow();
  });

  it("would say so of a unit that is not", () => {
    expect(() => analyze("security", "--offline=true", "--threshold=5", UNITS[0] ?? "")).toThrow();
  });
});

describe("PromQL is read", () => {
  it("with its metrics, what it asks of labels and what it groups by", () => {
    expect(readExpression('sum by (a) (rate(m_total{b=~"x|y"}[5m])) > 0')).toEqual({
      selectors: [
        {
          metric: "m_total",
          labels: [
            { name: "b", value: "x" },
            { name: "b", value: "y" },
          ],
        },
      ],
      grouping: ["a"],
      compared: 'sum by (a) (rate(m_total{b=~"x|y"}[5m]))',
    });
    expect(readExpression("a > b or c").compared).toBe("a > b or c");
  });

  it.each(["sum(", "m{a=}", "rate(m[$x])"])("and %s is refused", (text) => {
    expect(() => readExpression(text)).toThrow("no PromQL");
  });
});
