import { randomBytes, randomUUID } from "node:crypto";
import type { CheckedAnswer } from "@/http/testing/contract";
import type { Probe } from "./probes";
import type { Tokens } from "./tokens";
import type { World } from "./world";

/** What a probe found, in one sentence. */
export interface Breach {
  readonly probe: Probe;
  readonly why: string;
}

/** Characters of a name that its twin has otherwise. */
const KEPT = 8;

/** Sends a probe. @returns its answer, whatever it is */
export type Send = (probe: Pick<Probe, "target" | "path" | "headers" | "body">) => Promise<CheckedAnswer>;

/**
 * A twin of the other tenant: one that nobody has, with ids and names that nothing has, each of the same shape and always the
 * same. What is answered to a probe must be what its twin is answered.
 */
export interface Twin {
  of(text: string): string;
  back(text: string): string;
}

export function twinOf({ other }: World, { ids, names }: Tokens): Twin {
  const pairs = new Map<string, string>([
    [other, other.replace(/[0-9a-f]{8}$/, randomBytes(4).toString("hex"))],
    ...ids.map((id) => [id, sameVersion(id)] as const),
    ...names.map(
      (name) => [name, `${name.slice(0, -KEPT)}${randomBytes(KEPT).toString("hex").slice(0, KEPT)}`] as const,
    ),
  ]);
  const turned = new Map([...pairs].map(([from, to]) => [to, from]));
  const swap = (text: string, by: ReadonlyMap<string, string>) =>
    text.replace(/[\w-]+/g, (word) => by.get(word) ?? word);
  return { of: (text) => swap(text, pairs), back: (text) => swap(text, turned) };
}

/** Its time stays, which an id of ours may carry: only what is random is another. */
function sameVersion(id: string): string {
  const other = randomUUID();
  return `${id.slice(0, 19)}${other.slice(19)}`;
}

/** What probes are judged by. */
export interface Judging {
  readonly tokens: Tokens;
  readonly twin: Twin;
  /** Words of the other tenant that a probe wrote into its own one: told again by right from then on. */
  readonly written: Set<string>;
}

/** Sends a probe and its twin. @returns what is wrong, or undefined */
export async function judgeProbe(probe: Probe, judging: Judging, send: Send): Promise<Breach | undefined> {
  const { twin } = judging;
  const answer = await send(probe);
  const leaked = leakedIn(probe, answer, judging);
  if (leaked !== undefined) return { probe, why: `${String(answer.status)} says ${around(answer.text, leaked)}` };
  const same = await send(twinProbe(probe, twin));
  noteWritten(probe, answer, judging);
  if (isLimit(answer) || isLimit(same)) return undefined;
  const differs = differsIn(probe, answer, same, twin);
  if (differs === undefined || probe.target.kind !== "page") return differs;
  // What a page says of its own tenant may have changed between the two; once more tells.
  return differsIn(probe, await send(probe), await send(twinProbe(probe, twin)), twin);
}

function twinProbe(probe: Probe, twin: Twin): Probe {
  const { path, headers, body } = probe;
  return {
    ...probe,
    path: twin.of(path),
    headers: headers.map(([name, value]) => [name, twin.of(value)]),
    body: body === undefined ? undefined : twin.of(body),
  };
}

function differsIn(probe: Probe, answer: CheckedAnswer, same: CheckedAnswer, twin: Twin): Breach | undefined {
  // Both are turned: earlier probes may have left a name in the own tenant, and their twins its other form.
  const [one, two] = [answer, same].map((each) => plainOf(probe, { ...each, text: twin.back(each.text) })) as [
    string,
    string,
  ];
  if (one === two) return undefined;
  let equal = 0;
  while (one[equal] === two[equal]) equal += 1;
  const from = Math.max(0, equal - AROUND);
  return {
    probe,
    why: `it was answered ${one.slice(from, from + 300)}, and what nobody has ${two.slice(from, from + 300)}`,
  };
}

/** An action that came through in the own tenant keeps its reason and names in the audit there. */
function noteWritten({ target, path, body }: Probe, { status }: CheckedAnswer, { tokens, written }: Judging): void {
  if (target.method === "GET" || status >= 400) return;
  const sent = `${decodeURIComponent(path)}\n${body ?? ""}`;
  for (const token of [...tokens.ids, ...tokens.names]) if (sent.includes(token)) written.add(token);
}

/** @returns something of the other tenant that stands in the answer, and that neither this request nor an earlier probe said */
export function leakedIn(
  { path, headers, body }: Pick<Probe, "path" | "headers" | "body">,
  answer: CheckedAnswer,
  { tokens: { ids, names }, written }: Judging,
): string | undefined {
  const asked = [decodeURIComponent(path), ...headers.map(([, value]) => value), body ?? ""].join("\n");
  const said = `${answer.text}\n${JSON.stringify(answer.headers)}`;
  return [...ids, ...names].find((token) => said.includes(token) && !asked.includes(token) && !written.has(token));
}

/**
 * A refusal whole but for its own request id; of an answer that was given only its status: it tells of its own tenant and time. Of a page
 * its words, figures left out: they tell of time too.
 */
function plainOf({ target }: Probe, { status, headers, text }: CheckedAnswer): string {
  if (target.kind === "page") return `${String(status)} ${wordsOf(text)}`;
  if (status < 400) return String(status);
  const id = String(headers["request-id"] ?? "");
  const plain = id === "" ? text : text.replaceAll(id, "<request>");
  return `${String(status)} ${plain.replaceAll(/"(?:auditId|at)":"[^"]*"/g, "")}`;
}

/** @returns the words of a page in alphabetical order, since the parts of a stream come in any; shortened ids, as of the request, left out */
function wordsOf(html: string): string {
  const words = html.replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/g, " ").replaceAll(/<[^>]*>/g, " ");
  const plain = words
    .replaceAll(/(?:[\w-]{4}…)?\b[0-9a-f]{8}\b(?!-)|[\w-]{4}…[\w-]+/g, "#")
    .replaceAll(/(?<![\w-])\d[\d.,:]*(?![\w-])/g, "#");
  const counted = plain.split(/\s+/).filter((word) => !/^#?[.,]?$/.test(word));
  return counted.sort().join(" ");
}

/** How much one tenant may have is reached by a probe or by its twin, whoever comes first. */
function isLimit({ status, text }: CheckedAnswer): boolean {
  return status === 429 || /"code":"[a-z_.]*limit[a-z_.]*"/.test(text);
}

const AROUND = 80;

/** What stands about a word, so that it is seen what said it. */
function around(text: string, word: string): string {
  const at = text.indexOf(word);
  return at < 0 ? word : text.slice(Math.max(0, at - AROUND), at + word.length + AROUND);
}
