"use client";

import { useState } from "react";
import { ActionDialog } from "@/components/feedback/action-dialog";
import type { ActionField } from "@/components/feedback/dialog-field";
import { SecretOnce } from "@/components/ui/secret-once";
import { useDialog } from "@/components/feedback/use-dialog";
import type { WebhookEndpointView, WebhooksView } from "@/presentation/views/webhooks";
import { plural } from "@/presentation/format/words";

const PATH = "/api/v1/admin/webhook-endpoints";
const DESCRIPTION_MAX = 200;
const URL_MAX = 2_000;
/** Prefix of the fields that stand for a type. */
const TYPE = "type:";

/** The dialog that the address asks for. */
export function EndpointDialogs({ view }: { readonly view: WebhooksView }) {
  const { verb: what, id } = useDialog();
  const found = view.endpoints.find((one) => one.id === id);
  // What was deleted is gone from the list, and its dialog still has to say so.
  const [last, setLast] = useState(found);
  if (found !== undefined && found !== last) setLast(found);
  if (what === "create") return <CreateDialog view={view} />;
  const one = found ?? (last?.id === id ? last : undefined);
  if (one === undefined) return null;
  switch (what) {
    case "change":
      return <ChangeDialog view={view} one={one} />;
    case "rotate":
      return <RotateDialog view={view} one={one} />;
    case "disable":
      return <DisableDialog view={view} one={one} />;
    case "enable":
      return <EnableDialog view={view} one={one} />;
    case "delete":
      return <DeleteDialog view={view} one={one} />;
    default:
      return null;
  }
}

interface OneProps {
  readonly view: WebhooksView;
  readonly one: WebhookEndpointView;
}

function typeFields(types: readonly string[], chosen: readonly string[]): ActionField[] {
  return types.map((type) => ({
    name: `${TYPE}${type}`,
    label: type,
    kind: "checkbox",
    initial: String(chosen.includes(type)),
  }));
}

/** Boxes become a list; all of them, or none, is everything. */
function withTypes(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const boxes = Object.entries(fields).filter(([name]) => name.startsWith(TYPE));
  const chosen = boxes.filter(([, on]) => on === true).map(([name]) => name.slice(TYPE.length));
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith(TYPE)));
  return { ...rest, types: chosen.length === boxes.length ? [] : chosen };
}

const description = (initial = ""): ActionField => ({
  name: "description",
  label: "Description",
  kind: "text",
  maxLength: DESCRIPTION_MAX,
  initial,
});

function Secret({ answer }: { readonly answer: Readonly<Record<string, unknown>> }) {
  const { secret } = answer;
  if (typeof secret !== "string") return null;
  return (
    <SecretOnce secret={secret} copy="Copy the secret">
      It is shown this once. Whoever loses it rotates it.
    </SecretOnce>
  );
}

const secretOf = (answer: Readonly<Record<string, unknown>>) => <Secret answer={answer} />;

function CreateDialog({ view }: { readonly view: WebhooksView }) {
  return (
    <ActionDialog
      name="create"
      title="Add 1 endpoint, which is told of what happens from now on?"
      effect="Events of the types that are ticked are sent there, signed with a secret of its own; with none ticked, all are."
      notDone="Nothing that happened before is sent."
      verb="Add 1 endpoint"
      path={PATH}
      reason="optional"
      fields={[
        {
          name: "url",
          label: "Address, https only",
          kind: "text",
          required: true,
          maxLength: URL_MAX,
          placeholder: "https://shop.example/webhooks",
        },
        description(),
        ...typeFields(view.types, view.types),
      ]}
      toBody={withTypes}
      shown={secretOf}
      notOffered={view.whyNot}
    />
  );
}

function ChangeDialog({ view, one }: OneProps) {
  return (
    <ActionDialog
      name={`change:${one.id}`}
      title="Change what 1 endpoint is told of?"
      effect="From now on events of the types that are ticked are sent there; with none ticked, all are."
      evidence={one.url}
      notDone="Messages that wait already are still sent. The address stays: another address is another endpoint."
      verb="Change 1 endpoint"
      path={`${PATH}/${one.id}/change`}
      fields={[
        description(one.description),
        ...typeFields(view.types, one.types.length === 0 ? view.types : one.types),
      ]}
      toBody={withTypes}
      notOffered={view.whyNot}
    />
  );
}

function RotateDialog({ view, one }: OneProps) {
  return (
    <ActionDialog
      name={`rotate:${one.id}`}
      title="Rotate the secret of 1 endpoint?"
      effect={`A new secret is made. For ${String(view.overlapHours)} hours each delivery carries a signature by the new and by the old one.`}
      evidence={one.url}
      notDone={`The old secret is not refused before ${String(view.overlapHours)} hours are over.`}
      verb="Rotate 1 secret"
      path={`${PATH}/${one.id}/rotate-secret`}
      shown={secretOf}
      notOffered={view.whyNot}
    />
  );
}

function DisableDialog({ view, one }: OneProps) {
  return (
    <ActionDialog
      name={`disable:${one.id}`}
      title="Disable 1 endpoint?"
      effect={`${plural(one.waiting, "waiting message")} will rest until it is enabled again.`}
      evidence={one.url}
      notDone="Events that happen meanwhile are not kept for it."
      verb="Disable 1 endpoint"
      path={`${PATH}/${one.id}/disable`}
      notOffered={view.whyNot}
    />
  );
}

function EnableDialog({ view, one }: OneProps) {
  return (
    <ActionDialog
      name={`enable:${one.id}`}
      title="Enable 1 endpoint?"
      effect={`${plural(one.waiting, "waiting message")} will be sent, and what happens from now on.`}
      evidence={one.url}
      notDone="What happened while it was disabled is not sent."
      verb="Enable 1 endpoint"
      path={`${PATH}/${one.id}/enable`}
      notOffered={view.whyNot}
    />
  );
}

function DeleteDialog({ view, one }: OneProps) {
  return (
    <ActionDialog
      name={`delete:${one.id}`}
      title="Delete 1 endpoint and its secrets?"
      effect={`Nothing is sent there any more. ${plural(one.waiting, "waiting message")} will become dead letters.`}
      evidence={one.url}
      notDone="What was delivered stays delivered; its history stays."
      verb="Delete 1 endpoint"
      path={`${PATH}/${one.id}/delete`}
      notOffered={view.whyNot}
    />
  );
}
