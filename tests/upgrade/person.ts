import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { PhaseTally } from "./load";

/** What people open all day, and the two pages that read most tables. */
const PAGES = ["/", "/operations", "/attention", "/outbox", "/dead-letters", "/topics", "/metrics", "/audit", "/flow"];
const TENANT = "acme";
const TOPIC = "payments";
const ANSWER_MS = 60_000;
const RETRY_MS = 250;
const TRIES = 40;
/** Next writes it where a part of a page could not be rendered, with status 200. Charts, which browsers alone draw, have none in it. */
const NOT_RENDERED = /data-dgst="(?!"|BAILOUT_TO_CLIENT_SIDE_RENDERING)/;
const SCRIPT = /src="([^"]*\/_next\/static\/[^"]+\.js)"/g;

interface PersonOptions {
  readonly email: string;
  readonly password: string;
  /** Of both versions: what browsers see. */
  readonly publicUrl: string;
  readonly tally: (phase: string) => PhaseTally;
}

interface Session {
  cookie: string;
  readonly publicUrl: string;
  readonly tally: (phase: string) => PhaseTally;
}

interface TopicRead {
  readonly row: { readonly paused?: object };
  readonly route: { readonly version: number };
}

type Verb = "pause" | "resume";

/** An operator whose one session is used at the consoles of both versions. */
export function createPerson({ email, password, publicUrl, tally }: PersonOptions) {
  const session: Session = { cookie: "", publicUrl, tally };
  const act = createActs(session);
  return {
    /** @throws Error with the answer when it is refused */
    async signIn(url: string): Promise<void> {
      const entered = await fetch(`${url}/api/auth/sign-in/email`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: publicUrl },
        body: JSON.stringify({ email, password }),
      });
      if (!entered.ok) throw new Error(`sign-in is ${String(entered.status)}: ${await entered.text()}`);
      const lines = entered.headers.getSetCookie();
      session.cookie = lines.map((line) => line.split(";")[0]).join("; ");
    },
    /** Every page at every console, and on until `meanwhile` has ended. */
    async browse(phase: string, urls: readonly string[], meanwhile: Promise<unknown>, stopping?: string) {
      const state = { ended: false };
      const end = (): void => void (state.ended = true);
      meanwhile.then(end, end);
      const visit = async (url: string): Promise<void> => {
        const read = createReader(session, { phase, url, mayStop: url === stopping });
        do for (const path of PAGES) if (!(await read(path))) return;
        while (!state.ended);
      };
      await Promise.all(urls.map(visit));
    },
    /** Paused at one and resumed at the other. */
    async actAtBoth(phase: string, one: string, other: string): Promise<void> {
      await act(phase, "pause", one, other);
      await act(phase, "resume", other, one);
    },
  };
}

interface Place {
  readonly phase: string;
  readonly url: string;
  /** It is being stopped: nobody may answer. */
  readonly mayStop: boolean;
}

/** @returns what reads a page and a script of it, and says whether somebody answered */
function createReader(session: Session, { phase, url, mayStop }: Place) {
  const { answers, violations } = session.tally(phase);
  const violate = (text: string): void => void violations.push(`${phase}: ${text}`);
  const count = (what: string): void => void answers.set(`page ${what}`, (answers.get(`page ${what}`) ?? 0) + 1);

  async function read(path: string): Promise<string | undefined> {
    let answer: Response;
    let text: string;
    try {
      const signal = AbortSignal.timeout(ANSWER_MS);
      answer = await fetch(url + path, { headers: { cookie: session.cookie }, redirect: "manual", signal });
      text = await answer.text();
    } catch {
      count("none");
      if (!mayStop) violate(`nobody answered ${path}`);
      return undefined;
    }
    count(String(answer.status));
    if (answer.status !== 200) violate(`${path} is ${String(answer.status)}: ${text.slice(0, 200)}`);
    return text;
  }

  return async (path: string): Promise<boolean> => {
    const text = await read(path);
    if (text === undefined) return false;
    const script = [...text.matchAll(SCRIPT)][0]?.[1];
    if (NOT_RENDERED.test(text) || !text.includes("<h1") || script === undefined)
      violate(`${path} is no page of the console`);
    // The page and its scripts are of one version: a browser stays with the console that it began with.
    return script === undefined || (await read(script)) !== undefined;
  };
}

/** As a client does that is told to try again: the same request, under the same key. */
async function insist(url: string, request: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(url, request);
    if (answer.status !== 503 || tries === TRIES) return answer;
    await delay(RETRY_MS);
  }
}

/** @returns an action at one console and the same request at the other: one act, one answer, and both show it */
function createActs(session: Session) {
  const topicUrl = (url: string, verb = ""): string =>
    `${url}/api/v1/admin/topics/${TOPIC}${verb === "" ? "" : `/${verb}`}?tenant=${TENANT}`;

  async function turn(url: string, verb: Verb, expectedVersion: number, key: string) {
    const answer = await insist(topicUrl(url, verb), {
      method: "POST",
      headers: {
        cookie: session.cookie,
        origin: session.publicUrl,
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify({ expectedVersion, reason: "the receiver is being upgraded" }),
    });
    return { status: answer.status, replayed: answer.headers.get("idempotent-replayed"), text: await answer.text() };
  }

  async function topicAt(url: string): Promise<TopicRead> {
    const answer = await insist(topicUrl(url), { headers: { cookie: session.cookie } });
    if (answer.status !== 200) throw new Error(`the topic is ${String(answer.status)}: ${await answer.text()}`);
    return (await answer.json()) as TopicRead;
  }

  return async (phase: string, verb: Verb, first: string, second: string): Promise<void> => {
    const violate = (text: string): void => void session.tally(phase).violations.push(`${phase}: ${text}`);
    const { version } = (await topicAt(second)).route;
    const key = randomUUID();
    const [done, again] = [await turn(first, verb, version, key), await turn(second, verb, version, key)];
    if (done.status !== 200) violate(`${verb} is ${String(done.status)}: ${done.text.slice(0, 200)}`);
    if (again.replayed !== "true" || again.text !== done.text)
      violate(`${verb} is ${done.text.slice(0, 300)}, and at the other console ${again.text.slice(0, 300)}`);
    for (const url of [first, second]) {
      const { row, route } = await topicAt(url);
      if ((row.paused !== undefined) !== (verb === "pause") || route.version !== version + 1)
        violate(`the ${url === first ? "first" : "other"} console does not show that a topic was ${verb}d`);
    }
  };
}
