import { firstWords, holding, type PageClaim } from "@/domain/page-claim";
import type { Role } from "@/domain/idempotency/states";
import { plural } from "../format/words";
import type { PersonRow, SessionRow } from "../views/access";
import type { VerdictClause } from "../views/common";
import { grantLines } from "./grant-words";
import { withArticle } from "../policy/role-words";

interface Toned<Facts> extends PageClaim<Facts> {
  readonly tone: VerdictClause["tone"];
}
const said = <Facts>(claims: readonly Toned<Facts>[], facts: Facts): readonly VerdictClause[] =>
  holding(claims, facts).map(({ tone, words }) => ({ tone, text: words(facts) }));

type PersonFacts = Pick<PersonRow, "disabledAt" | "role" | "twoFactor" | "signsInBy">;
type PeopleFacts = readonly PersonFacts[];
const active = (people: PeopleFacts): PeopleFacts => people.filter(({ disabledAt }) => disabledAt === undefined);
/** Of all tenants: they alone decide about people. */
const admins = (people: PeopleFacts): PeopleFacts => active(people).filter(({ role }) => role === "admin");
/** Admins who sign in by a password alone. */
const open = (people: PeopleFacts): PeopleFacts =>
  admins(people).filter(({ twoFactor, signsInBy }) => !twoFactor && signsInBy.includes("password"));

/** What the list of people opens with. */
const PEOPLE_CLAIMS: readonly Toned<PeopleFacts>[] = [
  {
    name: "may sign in",
    tone: "fine",
    holds: () => true,
    words: (people) =>
      `${plural(active(people).length, "person", "people")} may sign in, ${plural(admins(people).length, "admin")}.`,
  },
  {
    name: "no second factor",
    tone: "doubt",
    holds: (people) => open(people).length > 0,
    words: (people) => `${plural(open(people).length, "admin")} without a second factor.`,
  },
];

export function peopleClauses(people: PeopleFacts): readonly VerdictClause[] {
  return said(PEOPLE_CLAIMS, people);
}

type AskedPerson = Pick<PersonRow, "role" | "tenants"> & { readonly sessions: readonly Pick<SessionRow, "id">[] };

/** What happens to somebody who is disabled. */
const DISABLE_CLAIMS: readonly PageClaim<AskedPerson>[] = [
  {
    name: "no session",
    holds: ({ sessions }) => sessions.length === 0,
    words: () => "No sign-in and no link opens any more.",
  },
  {
    name: "sessions end",
    holds: ({ sessions }) => sessions.length > 0,
    words: ({ sessions }) =>
      `${plural(sessions.length, "session")} ${sessions.length === 1 ? "ends" : "end"} now; no sign-in and no link opens any more.`,
  },
];

const ENABLE_CLAIMS: readonly PageClaim<AskedPerson>[] = [
  {
    name: "as before",
    holds: (person) => grantLines(person).length > 0,
    words: (person) => `They sign in as before: ${grantLines(person).join(", ")}.`,
  },
  {
    name: "to nothing",
    holds: (person) => grantLines(person).length === 0,
    words: () => "They sign in as before, and see no tenant: they have no role.",
  },
];

export function personWords(verb: "disable" | "enable", person: AskedPerson): string {
  return firstWords(verb === "disable" ? DISABLE_CLAIMS : ENABLE_CLAIMS, person);
}

/** What whoever looks may do. */
interface MayFacts {
  readonly role: Role;
  readonly actions: readonly { readonly allowed: boolean }[];
}
const may = ({ actions }: MayFacts): number => actions.filter(({ allowed }) => allowed).length;

/** What the list of permissions opens with. */
const MAY_CLAIMS: readonly Toned<MayFacts>[] = [
  { name: "role", tone: "fine", holds: () => true, words: ({ role }) => `You are ${withArticle(role)}.` },
  {
    name: "actions",
    tone: "fine",
    holds: () => true,
    words: (facts) => `You may do ${String(may(facts))} of ${String(facts.actions.length)} actions here.`,
  },
];

export function mayClauses(facts: MayFacts): readonly VerdictClause[] {
  return said(MAY_CLAIMS, facts);
}

/** How often somebody is signed in, this time among them. */
const SESSIONS_CLAIMS: readonly Toned<number>[] = [
  { name: "here only", tone: "fine", holds: (count) => count <= 1, words: () => "You are signed in here only." },
  {
    name: "elsewhere too",
    tone: "fine",
    holds: (count) => count > 1,
    words: (count) => `You are signed in at ${plural(count, "place")}.`,
  },
];

export function sessionsClauses(count: number): readonly VerdictClause[] {
  return said(SESSIONS_CLAIMS, count);
}

/** Of other sessions that are about to end. @param count how many there are; all of them end */
const END_CLAIMS: readonly PageClaim<number>[] = [
  { name: "none is left out", holds: () => true, words: (count) => `None of ${String(count)}.` },
];

export function endSkipped(count: number): string {
  return firstWords(END_CLAIMS, count);
}

/** Sessions of one person. */
interface EndFacts {
  /** That are about to end. */
  readonly ended: number;
  /** That are open now. */
  readonly open: number;
}
const END_EFFECT: readonly PageClaim<EndFacts>[] = [
  { name: "all", holds: ({ ended, open: all }) => ended >= all, words: () => "They have to sign in again." },
  {
    name: "some",
    holds: ({ ended, open: all }) => ended < all,
    words: ({ ended, open: all }) =>
      `They have to sign in again there; ${plural(all - ended, "other session")} ${all - ended === 1 ? "stays" : "stay"} open.`,
  },
];

export function endEffect(facts: EndFacts): string {
  return firstWords(END_EFFECT, facts);
}
