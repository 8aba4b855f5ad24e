"use client";

import { AskedDialog, type DialogWords } from "@/components/feedback/action-dialog";
import type { ActionField } from "@/components/feedback/dialog-field";
import { useDialogOf } from "@/components/feedback/use-dialog";
import {
  endpointWords as saysOf,
  expireEffect,
  sourceEvidence,
  testWords,
} from "@/presentation/message/endpoint-claims";
import type { EventSourceSecretView, EventSourcesView } from "@/presentation/views/event-sources";
import type { WebhookEndpointView, WebhooksView } from "@/presentation/views/webhooks";

const PATH = "/api/v1/admin/webhook-endpoints";
const SOURCES_PATH = "/api/v1/admin/event-sources";
const URL_MAX = 2_000;
const DESCRIPTION_MAX = 200;
const SOURCE_MAX = 64;
const SECRET_MAX = 200;

const secretOnce = (note: string) => ({ member: "secret", copy: "Copy the secret", note });
const ENDPOINT_SECRET = secretOnce("It is shown this once. If you lose it, rotate it.");
const SOURCE_SECRET = secretOnce("It is shown this once. If you lose it, add another one.");

/** The dialog of an endpoint that the address asks for. */
export function EndpointDialogs({ view }: { readonly view: WebhooksView }) {
  const { name, verb, row } = useDialogOf(view.endpoints);
  const words = verb === "create" ? createWords(view) : row && endpointWords(verb, row, view);
  return <AskedDialog name={name} words={words && { notOffered: view.whyNot, ...words }} />;
}

/** Fields of what an endpoint is for; all types, as none, is every type. */
function endpointFields(types: readonly string[], chosen: readonly string[], initial: string): readonly ActionField[] {
  return [
    { name: "description", label: "Description", kind: "text", maxLength: DESCRIPTION_MAX, initial },
    {
      name: "types",
      label: "Events",
      kind: "boxes",
      options: types.map((type) => ({ value: type, label: type })),
      ticked: chosen.length === 0 ? types : chosen,
      allIsNone: true,
    },
  ];
}

function createWords({ types }: WebhooksView): DialogWords {
  return {
    title: "Add an endpoint for future events?",
    effect:
      "Events of the types that are ticked are sent there, signed with a secret of its own; with none ticked, all are.",
    notDone: "What our inbox handled before is not sent.",
    skipped: false,
    verb: "Add 1 endpoint",
    path: PATH,
    reason: "optional",
    fields: [
      {
        name: "url",
        label: "Address, https only",
        kind: "text",
        required: true,
        maxLength: URL_MAX,
        placeholder: "https://shop.example/webhooks",
      },
      ...endpointFields(types, [], ""),
    ],
    once: ENDPOINT_SECRET,
  };
}

/** @returns what the dialog of a verb says of one endpoint */
function endpointWords(verb: string, one: WebhookEndpointView, view: WebhooksView): DialogWords | undefined {
  const { waiting, disabled } = one;
  const says = saysOf({ waiting, overlapHours: view.overlapHours, disabled: disabled !== undefined });
  const of = (path: string) => ({ evidence: one.url, path: `${PATH}/${one.id}/${path}` });
  switch (verb) {
    case "change":
      return {
        title: "Change the events of 1 endpoint?",
        effect: says.change,
        notDone:
          "Messages that wait already are not taken back. The address stays: another address is another endpoint.",
        verb: "Change 1 endpoint",
        fields: endpointFields(view.types, one.types, one.description),
        ...of("change"),
      };
    case "rotate":
      return {
        title: "Rotate the secret of 1 endpoint?",
        effect: says.rotate,
        notDone: says.notEnded,
        verb: "Rotate 1 secret",
        once: ENDPOINT_SECRET,
        ...of("rotate-secret"),
      };
    case "disable":
      return {
        title: "Disable 1 endpoint?",
        effect: says.disable,
        notDone: "Events that our inbox handles meanwhile are not kept for it.",
        verb: "Disable 1 endpoint",
        ...of("disable"),
      };
    case "enable":
      return {
        title: "Enable 1 endpoint?",
        effect: says.enable,
        notDone: "What our inbox handled while it was disabled is not sent.",
        verb: "Enable 1 endpoint",
        ...of("enable"),
      };
    case "test": {
      const { effect, notOffered } = testWords(one);
      return {
        title: "Send 1 message as a test now?",
        effect,
        notDone: "The other messages wait until a test is accepted.",
        verb: "Send 1 message",
        ...(notOffered === undefined ? {} : { notOffered }),
        ...of("test"),
      };
    }
    case "delete":
      return {
        title: "Delete 1 endpoint and its secrets?",
        effect: says.delete,
        notDone: "The record of what was delivered stays until retention removes it.",
        verb: "Delete 1 endpoint",
        ...of("delete"),
      };
    default:
      return undefined;
  }
}

/** Adds a secret to a source, and ends one. */
export function EventSourceDialogs({ view }: { readonly view: EventSourcesView }) {
  const secrets = view.secrets.filter(({ ended }) => !ended);
  const { name, verb, row } = useDialogOf(secrets, (one, id) => id === `${one.source}/${one.secretId}`);
  const ofRow = row !== undefined && verb === "expire" ? expireWords(row) : undefined;
  const words = name === "source" ? sourceWords(view) : ofRow;
  return <AskedDialog name={name} words={words && { ...words, notOffered: words.notOffered ?? view.whyNot }} />;
}

function sourceWords({ overlapHours }: EventSourcesView): DialogWords {
  return {
    title: "Add 1 secret, and accept what it signs?",
    effect: "Events signed with it are accepted. The first secret makes the source known.",
    evidence: sourceEvidence(overlapHours),
    notDone: "Refused events are not kept: their sender has to send them again.",
    skipped: false,
    verb: "Add 1 secret",
    path: SOURCES_PATH,
    fields: [
      {
        name: "source",
        label: "Source, as in POST /events/{source}",
        kind: "text",
        required: true,
        maxLength: SOURCE_MAX,
      },
      {
        name: "secret",
        label: "Secret from the sender; leave it empty to create one, which is shown once",
        kind: "text",
        omitEmpty: true,
        maxLength: SECRET_MAX,
        placeholder: "whsec_…",
      },
    ],
    once: SOURCE_SECRET,
  };
}

function expireWords({ source, secretId, last, whyNotExpire }: EventSourceSecretView): DialogWords {
  return {
    title: `End 1 secret of ${source}${last ? ", the last one" : ""}?`,
    effect: expireEffect({ source, last }),
    evidence: `Secret ${secretId}`,
    notDone: "Events accepted before stay accepted.",
    verb: "End 1 secret",
    path: `${SOURCES_PATH}/${encodeURIComponent(source)}/secrets/${encodeURIComponent(secretId)}/expire`,
    notOffered: whyNotExpire,
  };
}
