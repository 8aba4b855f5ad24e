import { FoldedTable } from "@/components/table/folded-table";
import { Id } from "@/components/ui/values/id";
import { Section } from "@/components/ui/section";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { formatDuration } from "@/presentation/format/display-time";
import type { GlyphName } from "@/presentation/format/glyph";
import type { OperationDetail, ProviderCallRow } from "@/presentation/views/operations";

/** The journal of provider calls, and who owned the operation when. */
export function ProviderSection({ operation }: { readonly operation: OperationDetail }) {
  return (
    <>
      {operation.provider.length > 0 && <Calls operation={operation} />}
      {operation.leases.length > 0 && <Owners operation={operation} />}
    </>
  );
}

function Calls({ operation: { provider, at } }: { readonly operation: OperationDetail }) {
  const name = provider[0]?.provider;
  return (
    <Section
      quiet
      space="small"
      title="Provider calls"
      note={`journal of what was sent to ${name ?? "the provider"}, all under one key`}
    >
      <FoldedTable
        label="Provider calls"
        columns={[
          { id: "kind", header: "Call", phone: "left" },
          { id: "said", header: "Said", phone: "right" },
          { id: "reference", header: "Reference", phone: "hidden" },
          { id: "sent", header: "Sent", phone: "left" },
          { id: "took", header: "Took", align: "right", phone: "right" },
          { id: "fence", header: "Fence", align: "right", phone: "hidden" },
        ]}
        rows={provider.map((call) => ({
          id: call.id,
          cells: {
            kind: call.kind,
            said: <FindingText call={call} />,
            reference:
              call.reference === undefined ? <span className="quiet">none</span> : <Id value={call.reference} />,
            sent:
              call.sentAt === undefined ? (
                <span className="quiet">not sent</span>
              ) : (
                <Time at={call.sentAt} now={at} form="millis" />
              ),
            took: call.tookMs === undefined ? "" : formatDuration(call.tookMs),
            fence: call.fence,
          },
        }))}
      />
    </Section>
  );
}

function Owners({ operation: { leases, at } }: { readonly operation: OperationDetail }) {
  return (
    <Section quiet space="small" title="Owners" note="a late owner cannot pass a raised fence">
      <FoldedTable
        label="Owners"
        columns={[
          { id: "fence", header: "Fence", phone: "hidden" },
          { id: "owner", header: "Owner", phone: "left" },
          { id: "from", header: "From", phone: "right" },
          { id: "held", header: "Held", align: "right", phone: "hidden" },
          { id: "ended", header: "Ended", phone: "full" },
        ]}
        rows={leases.map((lease) => ({
          id: `${String(lease.fence)} ${lease.from}`,
          cells: {
            fence: lease.fence,
            owner: lease.owner,
            from: <Time at={lease.from} now={at} form="millis" />,
            held: lease.to === undefined ? "" : formatDuration(Date.parse(lease.to) - Date.parse(lease.from)),
            ended: lease.ended,
          },
        }))}
      />
    </Section>
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
