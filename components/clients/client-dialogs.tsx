"use client";

import { writtenTime } from "@/domain/written-time";
import { ActionDialog, AskedDialog, type DialogWords } from "@/components/feedback/action-dialog";
import type { ActionField } from "@/components/feedback/dialog-field";
import { useDialog } from "@/components/feedback/use-dialog";
import type { ClientChoices, ClientDetail, ClientKeyView } from "@/presentation/views/clients";
import { isOpenKey, keyEvidence, validKeys } from "@/presentation/client/client-key-claims";
import { plural } from "@/presentation/format/words";

const PATH = "/api/v1/admin/clients";
const NAME_MAX = 100;
const CONTACT_MAX = 200;
/** Hours for which the old key may go on. */
const OVERLAPS: readonly { readonly value: string; readonly label: string }[] = [
  { value: "24", label: "24 hours" },
  { value: "1", label: "1 hour" },
  { value: "72", label: "3 days" },
  { value: "168", label: "7 days" },
  { value: "720", label: "30 days" },
  { value: "0", label: "not at all: it ends now" },
];

type Opened = Pick<ClientKeyView, "scopes" | "profile">;

function opens(choices: ClientChoices, { scopes, profile }: Opened): readonly ActionField[] {
  return [
    {
      name: "scopes",
      label: "Scopes",
      kind: "boxes",
      options: choices.scopes.map((value) => ({ value, label: SCOPE_WORDS[value] ?? value })),
      ticked: scopes,
    },
    {
      name: "profile",
      label: "Error format",
      kind: "select",
      initial: profile,
      options: choices.profiles.map((value) => ({ value, label: value })),
    },
  ];
}

/** What our own scopes open; those of modules have their names. */
const SCOPE_WORDS: Readonly<Record<string, string>> = {
  events: "events: send",
  admin: "admin: everything the admin role may do, but no operation of a module",
};

const contactField = (initial = ""): ActionField => ({
  name: "contact",
  label: "Contact, for its conflicts",
  kind: "text",
  maxLength: CONTACT_MAX,
  initial,
  placeholder: "team@shop.example",
});

const KEY = {
  member: "key",
  copy: "Copy the key",
  note: "It is shown this once and kept nowhere. If you lose it, rotate it.",
};

export function CreateClientDialog({
  choices,
  notOffered,
}: {
  readonly choices: ClientChoices;
  readonly notOffered: string | undefined;
}) {
  return (
    <ActionDialog
      name="create"
      title="Add 1 client?"
      effect="A client of this name is added, with its default scopes. Keys are created on its page."
      notDone="No key is created yet: nobody can call the API as this client."
      skipped={false}
      verb="Add 1 client"
      path={PATH}
      reason="optional"
      follow
      fields={[
        {
          name: "name",
          label: "Name, as conflicts and reports show it",
          kind: "text",
          required: true,
          maxLength: NAME_MAX,
        },
        contactField(),
        ...opens(choices, { scopes: choices.scopes.slice(0, 1), profile: "problem" }),
      ]}
      notOffered={notOffered}
    />
  );
}

export function ClientDialogs({ detail }: { readonly detail: ClientDetail }) {
  const { client, report, whyNot, keys } = detail;
  const { name, verb, id } = useDialog();
  const one = keys.find((key) => key.id === id);
  const words = client && (one === undefined ? clientWords(name, detail, client) : keyWords(verb, detail, one));
  const path = `${PATH}/${encodeURIComponent(report.client)}`;
  return <AskedDialog name={name} words={words && { notOffered: whyNot, ...words, path: `${path}/${words.path}` }} />;
}

function clientWords(
  name: string,
  { choices, report, keys }: ClientDetail,
  client: NonNullable<ClientDetail["client"]>,
): DialogWords | undefined {
  switch (name) {
    case "change":
      return {
        title: "Change 1 client?",
        effect:
          "The contact, and what keys created from now on get unless they are made otherwise: scopes and error format.",
        evidence: report.client,
        notDone: "Existing keys keep their scopes, also when they are rotated: create another key, then revoke them.",
        verb: "Change 1 client",
        path: "change",
        fields: [contactField(client.contact), ...opens(choices, client)],
      };
    case "key":
      return {
        title: "Create 1 key, valid from now on?",
        effect: "A new key is created and shown once, in this dialog only.",
        evidence: keyEvidence({ client: report.client, keys, maxLiveKeys: choices.maxLiveKeys }),
        notDone: "No other key changes. What is kept of it is its hash.",
        skipped: false,
        verb: "Create 1 key",
        path: "keys",
        fields: opens(choices, client),
        once: KEY,
      };
    default:
      return undefined;
  }
}

/** @returns what the dialog of a verb says of one key, its path under that client */
function keyWords(verb: string, detail: ClientDetail, one: ClientKeyView): DialogWords | undefined {
  const last = isOpenKey(one) && detail.keys.filter(isOpenKey).length === 1;
  const shared = {
    evidence: <Blast detail={detail} one={one} />,
    path: `keys/${one.id}/${verb}`,
    notOffered: detail.whyNot ?? (isOpenKey(one) ? undefined : "It is no longer valid."),
  };
  switch (verb) {
    case "rotate":
      return {
        title: "Rotate 1 key?",
        effect: "A new key is created and shown once; the old one is valid until its time is over.",
        notDone: "The old key is not refused before that. No one is notified: send the new one to the client.",
        verb: "Rotate 1 key",
        fields: [
          {
            name: "overlapHours",
            label: "The old key stays valid for",
            kind: "select",
            initial: "24",
            options: OVERLAPS,
          },
        ],
        once: KEY,
        ...shared,
      };
    case "revoke":
      return {
        title: `Revoke 1 key, and refuse what it sends${last ? ": the client is locked out" : ""}?`,
        effect: `Requests with it get 401 from now on, in every process within 2 s.${last ? " It is the last valid key." : ""}`,
        notDone: "It cannot be taken back. What was recorded under its requests stays.",
        verb: "Revoke 1 key",
        ...shared,
      };
    default:
      return undefined;
  }
}

/** What a key carries now: last used, and how much its client sends. */
function Blast({ detail, one }: { readonly detail: ClientDetail; readonly one: ClientKeyView }) {
  const used = one.lastUsedAt === undefined ? "Never used" : `Last used ${writtenTime(one.lastUsedAt)}`;
  return (
    <>
      {used}. {detail.report.client} sent {plural(detail.lastHour, "request")} in the last hour, with{" "}
      {validKeys(detail.keys)}.
    </>
  );
}
