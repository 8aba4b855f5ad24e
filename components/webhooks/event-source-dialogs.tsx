"use client";

import { ActionDialog } from "@/components/feedback/action-dialog";
import { SecretOnce } from "@/components/ui/secret-once";
import type { EventSourcesView } from "@/presentation/views/event-sources";

const PATH = "/api/v1/admin/event-sources";
const SECRET_MAX = 200;
const SOURCE_MAX = 64;

const shown = ({ secret }: Readonly<Record<string, unknown>>) =>
  typeof secret !== "string" ? null : (
    <SecretOnce secret={secret} copy="Copy the secret">
      It is shown this once. Whoever loses it adds another one.
    </SecretOnce>
  );

/** Adds a secret to a source, and ends one. */
export function EventSourceDialogs({ view }: { readonly view: EventSourcesView }) {
  const { secrets, overlapHours, whyNot } = view;
  return (
    <>
      <ActionDialog
        name="source"
        title="Add 1 secret, which signs from now on?"
        effect="Events that are signed with it are taken. The first secret makes the source known."
        evidence={`The secrets of before hold for another ${String(overlapHours)} hours, so that both sides may change over.`}
        notDone="No event that was refused is looked at again."
        verb="Add 1 secret"
        path={PATH}
        fields={[
          {
            name: "source",
            label: "Source, as in POST /events/{source}",
            kind: "text",
            required: true,
            maxLength: SOURCE_MAX,
          },
          {
            name: "secret",
            label: "Secret that the sender gave; empty: one is made here and shown once",
            kind: "text",
            maxLength: SECRET_MAX,
            placeholder: "whsec_…",
          },
        ]}
        toBody={withoutEmpty}
        shown={shown}
        notOffered={whyNot}
      />
      {secrets
        .filter(({ ended }) => !ended)
        .map((one) => (
          <ActionDialog
            key={`${one.source}/${one.secretId}`}
            name={`expire:${one.source}/${one.secretId}`}
            title={`End 1 secret of ${one.source}${one.last ? ", and take its events no more" : ""}?`}
            effect={
              one.last
                ? "It is the last one that holds: every event of this source is refused with 401 from now on."
                : "Events that are signed with it alone are refused with 401 from now on."
            }
            evidence={`Secret ${one.secretId}`}
            notDone="What was taken before stays taken."
            verb="End 1 secret"
            path={`${PATH}/${encodeURIComponent(one.source)}/secrets/${encodeURIComponent(one.secretId)}/expire`}
            notOffered={one.whyNotExpire ?? whyNot}
          />
        ))}
    </>
  );
}

/** Only a secret that was given is sent. */
function withoutEmpty({ secret, ...rest }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return secret === "" ? rest : { ...rest, secret };
}
