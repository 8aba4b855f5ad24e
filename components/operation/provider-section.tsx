import { SectionTable } from "@/components/table/rows-table";
import { Id } from "@/components/ui/values/id";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { formatDuration } from "@/presentation/format/display-time";
import { plural } from "@/presentation/format/words";
import type { GlyphName } from "@/presentation/format/glyph";
import type { OperationDetail, ProviderCallRow } from "@/presentation/views/operations";

export function ProviderSection({ operation }: { readonly operation: OperationDetail }) {
  const { provider, leases, at } = operation;
  const keys = new Set(provider.map(({ providerKey }) => providerKey)).size;
  return (
    <>
      <SectionTable
        folded
        quiet
        space="small"
        title="Provider calls"
        note={`journal of calls to ${provider[0]?.provider ?? "the provider"}, ${keys === 1 ? "all under one key" : `under ${plural(keys, "key")}`}`}
        rows={provider}
        columns={{
          Call: { phone: "left", cell: (call) => call.kind },
          Outcome: { phone: "right", cell: (call) => <FindingText call={call} /> },
          Reference: {
            phone: "hidden",
            cell: ({ reference }) =>
              reference === undefined ? <span className="quiet">none</span> : <Id value={reference} />,
          },
          Sent: {
            phone: "left",
            cell: ({ sentAt }) =>
              sentAt === undefined ? (
                <span className="quiet">not sent</span>
              ) : (
                <Time at={sentAt} now={at} form="millis" />
              ),
          },
          Took: {
            align: "right",
            phone: "right",
            cell: ({ tookMs }) => (tookMs === undefined ? "" : formatDuration(tookMs)),
          },
          Fence: { align: "right", phone: "hidden", cell: (call) => call.fence },
        }}
      />
      <SectionTable
        folded
        quiet
        space="small"
        title="Owners"
        note="a late owner cannot pass a raised fence"
        rows={leases}
        rowId={(lease) => `${String(lease.fence)} ${lease.from}`}
        columns={{
          Fence: { phone: "hidden", cell: (lease) => lease.fence },
          Owner: { phone: "left", cell: (lease) => lease.owner },
          From: { phone: "right", cell: (lease) => <Time at={lease.from} now={at} form="millis" /> },
          Held: {
            align: "right",
            phone: "hidden",
            cell: ({ from, to }) => (to === undefined ? "" : formatDuration(Date.parse(to) - Date.parse(from))),
          },
          Ended: { phone: "full", cell: (lease) => lease.ended },
        }}
      />
    </>
  );
}

const FINDINGS: Readonly<Record<string, { readonly name: GlyphName; readonly word: string }>> = {
  succeeded: { name: "executed", word: "succeeded" },
  declined: { name: "FAILED_REPLAYABLE", word: "declined" },
  processing: { name: "in_progress", word: "processing" },
  absent: { name: "empty", word: "never received" },
};

function FindingText({ call: { state, outcome } }: { readonly call: ProviderCallRow }) {
  if (state === "prepared") {
    return (
      <StateTag name="pending" tone="plain">
        prepared
      </StateTag>
    );
  }
  const finding = state === "answered" ? FINDINGS[outcome ?? ""] : undefined;
  if (finding !== undefined) return <StateTag name={finding.name}>{finding.word}</StateTag>;
  return (
    <StateTag name="unknown" tone="doubt">
      {state === "sent" ? "no answer" : (outcome ?? "answered").replaceAll("_", " ")}
    </StateTag>
  );
}
