import fc from "fast-check";
import { describe, it } from "vitest";
import { ROLES } from "@/domain/idempotency/states";
import { figure, holdSentences } from "../testing/hold-sentences";
import { endEffect, endSkipped, mayClauses, peopleClauses, personWords, sessionsClauses } from "./people-claims";

const role = fc.constantFrom(...ROLES);
const texts = (clauses: readonly { readonly text: string }[]): readonly string[] => clauses.map(({ text }) => text);

describe("TRUTH-1 what the pages about access say", () => {
  it("counts who may sign in, who of them is an admin, and which admins have a password alone", () => {
    const person = fc.record({
      disabledAt: fc.constantFrom(undefined, "2026-11-22T14:00:00Z"),
      role: fc.constantFrom("admin" as const, "viewer" as const),
      twoFactor: fc.boolean(),
      signsInBy: fc.constantFrom(["password"] as const, ["oidc"] as const, ["password", "oidc"] as const),
    });
    holdSentences(fc.array(person, { maxLength: 5 }), (people) => texts(peopleClauses(people)), [
      [
        /^(\d+) (person|people) may sign in, (\d+) admins?\.$/,
        (people, all = "", word, admins = "") => {
          let [enabled, ofAdmins] = [0, 0];
          for (const one of people) {
            if (one.disabledAt !== undefined) continue;
            enabled += 1;
            if (one.role === "admin") ofAdmins += 1;
          }
          return figure(all) === enabled && figure(admins) === ofAdmins && (word === "person") === (enabled === 1);
        },
      ],
      [
        /^(\d+) admins? without a second factor\.$/,
        (people, count = "") => {
          let bare = 0;
          for (const one of people)
            if (
              one.disabledAt === undefined &&
              one.role === "admin" &&
              !one.twoFactor &&
              one.signsInBy[0] === "password"
            )
              bare += 1;
          return bare > 0 && figure(count) === bare;
        },
      ],
    ]);
  });

  it("says that somebody has to sign in again, and where they need not", () => {
    const facts = fc.record({ ended: fc.integer({ min: 1, max: 3 }), more: fc.integer({ min: 0, max: 2 }) });
    holdSentences(facts, ({ ended, more }) => [endEffect({ ended, open: ended + more })], [
      [/^They have to sign in again\.$/, ({ more }) => more === 0],
      [
        /^They have to sign in again there; (\d+) other sessions? (stays?) open\.$/,
        ({ more }, count = "", verb) => more > 0 && figure(count) === more && (verb === "stays") === (more === 1),
      ],
    ]);
  });

  it("names what ends and what begins for one person", () => {
    const sessions = fc.array(fc.record({ id: fc.constant("s") }), { maxLength: 3 });
    const tenant = fc.constantFrom("acme", "globex");
    const tenants = fc.uniqueArray(fc.record({ tenant, role }), { selector: (one) => one.tenant });
    const person = fc.record({ role: fc.option(role, { nil: undefined }), tenants, sessions });
    holdSentences(person, (one) => [personWords("disable", one), personWords("enable", one)], [
      [/^No sign-in and no link opens any more\.$/, (one) => one.sessions.length === 0],
      [
        /^(\d+) sessions? (ends?) now; no sign-in and no link opens any more\.$/,
        (one, count = "", ends) => figure(count) === one.sessions.length && (ends === "ends") === (count === "1"),
      ],
      [
        /^They sign in as before: (.+)\.$/,
        (one, named = "") => {
          const said = new Set(named.split(", "));
          const all = [...said].filter((line) => line.endsWith(" on all tenants"));
          return (
            said.size === one.tenants.length + all.length &&
            all[0] === (one.role === undefined ? undefined : `${one.role} on all tenants`) &&
            one.tenants.every((own) => said.has(`${own.role} in ${own.tenant}`))
          );
        },
      ],
      [
        /^They sign in as before, and see no tenant: they have no role\.$/,
        (one) => one.role === undefined && one.tenants.length === 0,
      ],
    ]);
  });

  it("counts what a role may do, and where somebody is signed in", () => {
    const actions = fc.array(fc.record({ allowed: fc.boolean() }), { maxLength: 6 });
    holdSentences(
      fc.record({ role, actions, places: fc.integer({ min: 1, max: 4 }) }),
      ({ places, ...of }) => [...texts(mayClauses(of)), ...texts(sessionsClauses(places)), endSkipped(places)],
      [
        [
          /^You are (an?) (\w+)\.$/,
          (of, article, named = "") => named === of.role && (article === "an") === "aeiou".includes(named.charAt(0)),
        ],
        [
          /^You may do (\d+) of (\d+) actions here\.$/,
          (of, may = "", all = "") =>
            figure(all) === of.actions.length &&
            of.actions.length - figure(may) === of.actions.filter((one) => !one.allowed).length,
        ],
        [/^You are signed in here only\.$/, ({ places }) => places === 1],
        [/^You are signed in at (\d+) places\.$/, ({ places }, count = "") => places > 1 && figure(count) === places],
        [/^None of (\d+)\.$/, ({ places }, count = "") => figure(count) === places],
      ],
    );
  });
});
