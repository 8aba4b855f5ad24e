import { SimpleTable } from "@/components/table/simple-table";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import { glyphWord } from "@/presentation/format/glyph";
import type { OperationDetail } from "@/presentation/views/operations";

/** The recorded history as it was written, nothing left out and nothing joined. */
export function EventsSection({ operation }: { readonly operation: OperationDetail }) {
  const { events, eventsTotal, at } = operation;
  const note =
    events.length < eventsTotal
      ? `first ${formatCount(events.length)} of ${formatCount(eventsTotal)}`
      : `all ${formatCount(eventsTotal)}`;
  return (
    <Section quiet title="Events" note={note} space="small" id="events">
      <SimpleTable
        label="Events"
        columns={[
          { id: "at", header: "At", phone: "right" },
          { id: "type", header: "Event", phone: "left" },
          { id: "outcome", header: "Answered", phone: "hidden" },
          { id: "by", header: "By", phone: "full" },
          { id: "fence", header: "Fence", align: "right", phone: "hidden" },
          { id: "attempt", header: "Attempt", align: "right", phone: "hidden" },
          { id: "code", header: "Code", phone: "hidden" },
        ]}
        rows={events.map((event) => ({
          id: event.id,
          cells: {
            at: <Time at={event.at} now={at} form="millis" />,
            type: event.type.replaceAll("_", " "),
            outcome: event.outcome === undefined ? "" : glyphWord(event.outcome).toLowerCase(),
            by: event.by ?? "",
            fence: event.fence ?? "",
            attempt: event.attempt ?? "",
            code: event.code ?? "",
          },
        }))}
      />
    </Section>
  );
}
