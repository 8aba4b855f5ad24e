"use client";

import { AskedDialog, type DialogWords } from "@/components/feedback/action-dialog";
import type { ActionField } from "@/components/feedback/dialog-field";
import { useDialogOf } from "@/components/feedback/use-dialog";
import type { Role } from "@/domain/idempotency/states";
import { endEffect, personWords } from "@/presentation/access/people-claims";
import { plural } from "@/presentation/format/words";
import { ROLE_NOTES } from "@/presentation/policy/role-words";
import type { PeopleView, PersonRow } from "@/presentation/views/access";

const PATH = "/api/v1/admin/people";

export function PeopleDialogs({ view: { people, roles, tenants } }: { readonly view: PeopleView }) {
  const isNamed = (one: PersonRow, id: string): boolean =>
    one.id === id || one.sessions.some((session) => session.id === id);
  const { name, verb, id, row } = useDialogOf(people, isNamed);
  const words = row && wordsOf(verb, row, id, { roles, tenants });
  const ofRow = words && { evidence: named(row), ...words, path: `${PATH}/${row.id}/${words.path}` };
  return <AskedDialog name={name} words={verb === "invite" ? inviteWords({ roles, tenants }) : ofRow} />;
}

const named = ({ name, email }: PersonRow): string => `${name}, ${email}`;
const LAST_ADMIN = "This is the last admin: make somebody else one first.";

type Choices = Pick<PeopleView, "roles" | "tenants">;

const SIGNED_IN_ELSEWHERE =
  "They stay signed in. If the issuer names roles, their next sign-in there may set another one.";

/** @returns what the dialog of a verb says of one person, its path under that person */
function wordsOf(verb: string, one: PersonRow, id: string, choices: Choices): DialogWords | undefined {
  switch (verb) {
    case "role":
      return {
        title: "Change the role of 1 person?",
        effect: "From their next request on they may do there what the new role may, and nothing else.",
        notDone: one.signsInBy.includes("oidc") ? SIGNED_IN_ELSEWHERE : "They stay signed in.",
        verb: "Change 1 role",
        path: "role",
        fields: [tenantField(choices), roleField([...choices.roles, "none"], one.role)],
        notOffered: one.lastAdmin ? LAST_ADMIN : undefined,
      };
    case "link":
      return {
        title: "Make a new link for 1 person?",
        effect: "By the link they choose a password, which ends their sessions. An older link stops working now.",
        notDone: "What they sign in by stays until they use it; a second factor stays on even then.",
        verb: "Make 1 link",
        path: "link",
        once: LINK,
      };
    case "disable":
      return {
        title: "Disable 1 person?",
        effect: personWords("disable", one),
        notDone: "What they did stays in the audit under their name.",
        verb: "Disable 1 person",
        path: "disable",
        notOffered: one.lastAdmin ? LAST_ADMIN : undefined,
      };
    case "enable":
      return {
        title: "Enable 1 person?",
        effect: personWords("enable", one),
        notDone: "No session is opened for them.",
        verb: "Enable 1 person",
        path: "enable",
      };
    case "reset":
      return {
        title: "Reset the second factor of 1 person?",
        effect: "Their password alone signs them in until they set up another; their sessions end.",
        notDone: "Their password stays.",
        verb: "Reset 1 second factor",
        path: "reset-two-factor",
      };
    case "end":
    case "end-all":
      return endWords(one, verb === "end" ? id : undefined);
    default:
      return undefined;
  }
}

/** @param session one of theirs; undefined: all */
function endWords(one: PersonRow, session: string | undefined): DialogWords {
  const count = plural(session === undefined ? one.sessions.length : 1, "session");
  const ended = one.sessions.find(({ id }) => id === session);
  return {
    title: `End ${count} of ${one.name}?`,
    effect: endEffect({ ended: session === undefined ? one.sessions.length : 1, open: one.sessions.length }),
    evidence: ended === undefined ? named(one) : `${named(one)}: ${ended.device}`,
    notDone: "What they sign in by and their role stay.",
    verb: `End ${count}`,
    path: "end-sessions",
    body: session === undefined ? {} : { session },
  };
}

function tenantField({ tenants }: Choices): ActionField {
  const options = [{ value: "", label: "All tenants" }, ...tenants.map((value) => ({ value, label: value }))];
  return { name: "tenant", label: "Where", kind: "select", initial: "", omitEmpty: true, options };
}

/** Takes away the role of the place that is chosen. */
const NO_ROLE = "No role of their own there: the one on all tenants counts, if they have one.";

function roleField(roles: readonly (Role | "none")[], initial: Role | undefined): ActionField {
  return {
    name: "role",
    label: "Role",
    kind: "radio",
    required: true,
    initial,
    options: roles.map((role) => ({ value: role, label: role, note: role === "none" ? NO_ROLE : ROLE_NOTES[role] })),
  };
}

const LINK = {
  member: "link",
  copy: "Copy the link",
  note: "It is shown this once and can be used once, within 72 hours. Send it by a channel that only they read.",
};

function inviteWords(choices: Choices): DialogWords {
  return {
    title: "Invite 1 person?",
    effect: "They are added with this role, and you get a link by which they choose a password.",
    notDone: "Nothing is mailed: you give them the link.",
    skipped: false,
    verb: "Invite 1 person",
    path: PATH,
    fields: [
      { name: "email", label: "E-mail", kind: "text", required: true, maxLength: 254 },
      { name: "name", label: "Name", kind: "text", required: true, maxLength: 100 },
      tenantField(choices),
      roleField(choices.roles, "viewer"),
    ],
    once: LINK,
  };
}
