"use client";

import { ActionDialog } from "@/components/feedback/action-dialog";
import type { ActionField } from "@/components/feedback/dialog-field";
import { SecretOnce } from "@/components/ui/secret-once";
import { useDialog } from "@/components/feedback/use-dialog";
import type { ClientChoices, ClientDetail, ClientKeyView } from "@/presentation/views/clients";
import { plural } from "@/presentation/format/words";

const PATH = "/api/v1/admin/clients";
const NAME_MAX = 100;
const CONTACT_MAX = 200;
const SCOPE = "scope:";
/** Hours for which the old key may go on. */
const OVERLAPS: readonly { readonly value: string; readonly label: string }[] = [
  { value: "24", label: "24 hours" },
  { value: "1", label: "1 hour" },
  { value: "72", label: "3 days" },
  { value: "168", label: "7 days" },
  { value: "720", label: "30 days" },
  { value: "0", label: "not at all: it ends now" },
];

interface Fields {
  readonly contact?: string | undefined;
  readonly scopes: readonly string[];
  readonly profile: string;
}

function opens(choices: ClientChoices, { scopes, profile }: Fields): ActionField[] {
  return [
    ...choices.scopes.map((scope): ActionField => ({
      name: `${SCOPE}${scope}`,
      label: SCOPE_WORDS[scope] ?? scope,
      kind: "checkbox",
      initial: String(scopes.includes(scope)),
    })),
    {
      name: "profile",
      label: "Refusals are told as",
      kind: "select",
      initial: profile,
      options: choices.profiles.map((value) => ({ value, label: value })),
    },
  ];
}

const SCOPE_WORDS: Readonly<Record<string, string>> = {
  payments: "payments: pay, refund, void, read",
  accounts: "accounts: make and read",
  events: "events: send",
  admin: "admin: everything that the role admin may, and no payment",
};

const contactField = (initial = ""): ActionField => ({
  name: "contact",
  label: "Contact, for its conflicts",
  kind: "text",
  maxLength: CONTACT_MAX,
  initial,
  placeholder: "payments-team@shop.example",
});

function withScopes(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const boxes = Object.entries(fields).filter(([name]) => name.startsWith(SCOPE));
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith(SCOPE)));
  return { ...rest, scopes: boxes.filter(([, on]) => on === true).map(([name]) => name.slice(SCOPE.length)) };
}

function shownKey({ key }: Readonly<Record<string, unknown>>) {
  if (typeof key !== "string") return null;
  return (
    <SecretOnce secret={key} copy="Copy the key">
      It is shown this once and kept nowhere. Whoever loses it rotates it.
    </SecretOnce>
  );
}

interface CreateProps {
  readonly choices: ClientChoices;
  readonly notOffered?: string | undefined;
}

export function CreateClientDialog({ choices, notOffered }: CreateProps) {
  return (
    <ActionDialog
      name="create"
      title="Add 1 client?"
      effect="A program of this name is kept here, with what its keys will open. Its page is where keys are made."
      notDone="No key is made yet, and nothing can call."
      verb="Add 1 client"
      path={PATH}
      reason="optional"
      follow
      fields={[
        {
          name: "name",
          label: "Name, as conflicts and reports will call it",
          kind: "text",
          required: true,
          maxLength: NAME_MAX,
        },
        contactField(),
        ...opens(choices, { scopes: ["payments"], profile: "problem" }),
      ]}
      toBody={withScopes}
      notOffered={notOffered}
    />
  );
}

export function ClientDialogs({ detail }: { readonly detail: ClientDetail }) {
  const { client, report, choices, whyNot, keys } = detail;
  const { name: asked } = useDialog();
  if (client === undefined) return null;
  const path = `${PATH}/${encodeURIComponent(report.client)}`;
  return (
    <>
      <ActionDialog
        name="change"
        title="Change 1 client?"
        effect="Who is written to, and what keys open that are made from now on."
        evidence={report.client}
        notDone="Keys that exist open what they opened: rotate or revoke those."
        verb="Change 1 client"
        path={`${path}/change`}
        fields={[contactField(client.contact), ...opens(choices, client)]}
        toBody={withScopes}
        notOffered={whyNot}
      />
      <ActionDialog
        name="key"
        title="Make 1 key, which opens from now on?"
        effect="A new key is made and shown once, on this dialog alone."
        evidence={`${report.client} has ${plural(openKeys(keys), "key")} that open.`}
        notDone="No other key changes. What is kept of it is its hash."
        verb="Make 1 key"
        path={`${path}/keys`}
        fields={opens(choices, client)}
        toBody={withScopes}
        shown={shownKey}
        notOffered={whyNot}
      />
      {keys
        .filter(({ id }) => asked.endsWith(`:${id}`))
        .map((key) => (
          <KeyDialogs key={key.id} detail={detail} one={key} path={`${path}/keys/${key.id}`} />
        ))}
    </>
  );
}

interface KeyDialogsProps {
  readonly detail: ClientDetail;
  readonly one: ClientKeyView;
  readonly path: string;
}

function KeyDialogs({ detail, one, path }: KeyDialogsProps) {
  const off =
    detail.whyNot ?? (one.state === "live" || one.state === "ending" ? undefined : "It opens nothing any more.");
  return (
    <>
      <ActionDialog
        name={`rotate:${one.id}`}
        title="Rotate 1 key?"
        effect="A new key is made and shown once; both open until the old one's time is over."
        evidence={<Blast detail={detail} one={one} />}
        notDone="The old key is not refused before that. Nobody is told: send the new one to the client."
        verb="Rotate 1 key"
        path={`${path}/rotate`}
        fields={[
          { name: "overlapHours", label: "The old key goes on for", kind: "select", initial: "24", options: OVERLAPS },
        ]}
        shown={shownKey}
        notOffered={off}
      />
      <ActionDialog
        name={`revoke:${one.id}`}
        title={`Revoke 1 key, and refuse what it sends${isLast(detail, one) ? ": the client is shut out" : ""}?`}
        effect={`Requests with it are told 401 from now on, in every process within 2 s.${isLast(detail, one) ? " It is the last key that opens." : ""}`}
        evidence={<Blast detail={detail} one={one} />}
        notDone="It cannot be taken back. What was recorded under its requests stays."
        verb="Revoke 1 key"
        path={`${path}/revoke`}
        notOffered={off}
      />
    </>
  );
}

function openKeys(keys: readonly ClientKeyView[]): number {
  return keys.filter(({ state }) => state === "live" || state === "ending").length;
}

function isLast({ keys }: ClientDetail, one: ClientKeyView): boolean {
  return openKeys(keys) === 1 && (one.state === "live" || one.state === "ending");
}

/** What a key carries now: last used, and how much its client sends. */
function Blast({ detail, one }: { readonly detail: ClientDetail; readonly one: ClientKeyView }) {
  const used =
    one.lastUsedAt === undefined ? "Never used" : `Last used ${one.lastUsedAt.slice(0, 16).replace("T", " ")} UTC`;
  return (
    <>
      {used}. {detail.report.client} sent {plural(detail.lastHour, "request")} in the last hour, with{" "}
      {plural(openKeys(detail.keys), "key")} that open.
    </>
  );
}
