import { withConcurrency } from "@/domain/with-concurrency";
import { randomOf } from "../cross-tenant/random";
import type { Attempt, MakeAttempt } from "./attempt";
import { brokenCall } from "./broken-calls";
import { brokenWire } from "./broken-wire";
import { oddCall } from "./odd-calls";
import type { FuzzTarget } from "./target";
import { exchange, type WireAnswer } from "./wire";

export const PARTS = ["wire", "calls", "odd"] as const;
export type FuzzPart = (typeof PARTS)[number];

const MAKERS: Readonly<Record<FuzzPart, MakeAttempt>> = { wire: brokenWire, calls: brokenCall, odd: oddCall };
/** Requests under way at a time. */
const AT_ONCE = 8;
/** Between two lines about how far it is, and two looks whether the callers still get in. */
const STEP = 2_000;
const BYTES_SHOWN = 700;

/** @returns the key of the request of this number */
export const keyOf = (part: FuzzPart, number: number): string => `fuzz-${part}-${String(number)}`;

export interface PartOptions {
  readonly part: FuzzPart;
  /** Number of the first request, and how many. */
  readonly from: number;
  readonly requests: number;
  readonly seed: string;
  readonly say: (line: string) => void;
}

export interface PartFindings {
  readonly sent: number;
  /** In one sentence each, with how to send it again. */
  readonly findings: readonly string[];
  /** Answers by status; 0 stands for the end of the connection without one. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly kinds: ReadonlySet<string>;
}

/** Sends requests of one part, each made from the seed and its number alone. */
export async function sendPart(
  at: FuzzTarget,
  { part, from, requests, seed, say }: PartOptions,
): Promise<PartFindings> {
  const findings: string[] = [];
  const statuses = new Map<number, number>();
  const kinds = new Set<string>();
  const one = async (number: number): Promise<void> => {
    const random = randomOf(`${seed}:${part}:${String(number)}`);
    const attempt = MAKERS[part]({
      random,
      targets: at.targets,
      callers: at.callers,
      authority: at.authority,
      key: keyOf(part, number),
    });
    const answer = await exchange(at.port, attempt.bytes, attempt.half);
    kinds.add(attempt.kind);
    for (const status of answer.statuses.length === 0 ? [0] : answer.statuses)
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const wrong = wrongOf(attempt, answer);
    if (wrong === undefined) return;
    const again = `npm run test:fuzz -- --part ${part} --seed ${seed} --from ${String(number)} --requests 1`;
    findings.push(`${attempt.kind}: ${wrong}\n  ${shown(attempt.bytes)}\n  again: ${again}`);
  };
  for (let first = from; first < from + requests; first += STEP) {
    const numbers = Array.from({ length: Math.min(STEP, from + requests - first) }, (_, index) => first + index);
    const ended = await withConcurrency(AT_ONCE, numbers, one);
    const broken = ended.find((end) => end.status === "rejected");
    if (broken !== undefined) throw broken.reason;
    await at.keepCallers();
    say(
      `  ${part}: ${String(first + numbers.length - from)} of ${String(requests)}, ${String(findings.length)} findings`,
    );
  }
  return { sent: requests, findings, statuses, kinds };
}

function wrongOf({ refused, good }: Attempt, { statuses, hung, text }: WireAnswer): string | undefined {
  if (hung) return "it was neither answered nor closed";
  // What comes from the app itself has an id of ours, and is judged there (target.ts).
  const fault = statuses.find((status) => status >= 500 && !/^request-id:/im.test(text));
  if (fault !== undefined) return `it was answered ${String(fault)}`;
  const taken = statuses.filter((status) => status < 400).length;
  return refused && taken > good ? `it was taken: ${statuses.join(", ")}` : undefined;
}

function shown(bytes: Buffer): string {
  const text = JSON.stringify(bytes.subarray(0, BYTES_SHOWN).toString("latin1"));
  return text.replaceAll(/(session_token=|Bearer )[\w%.-]{8,}/g, "$1…");
}
