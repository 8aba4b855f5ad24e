import { ActionDialog } from "@/components/feedback/action-dialog";
import type { ActionField } from "@/components/feedback/dialog-field";
import { claimWords } from "@/domain/page-claim";
import { routeEvidence } from "@/presentation/message/message-dialog-claims";
import { TOPIC_DIALOG_CLAIMS } from "@/presentation/message/places-verdict";
import type { TopicView } from "@/presentation/views/place-pages";
import { plural } from "@/presentation/format/words";

const NAMES: Readonly<Record<string, string>> = { http: "HTTP", nats: "NATS JetStream", rabbitmq: "RabbitMQ" };

export function TopicDialogs({ topic }: { readonly topic: TopicView }) {
  return (
    <>
      <PauseDialog topic={topic} />
      <ResumeDialog topic={topic} />
      <RouteDialog topic={topic} />
    </>
  );
}

function common({ row, route }: TopicView) {
  return { body: { expectedVersion: route.version }, path: `/api/v1/admin/topics/${encodeURIComponent(row.place)}` };
}

function PauseDialog({ topic }: { readonly topic: TopicView }) {
  const { row, actions } = topic;
  const { body, path } = common(topic);
  return (
    <ActionDialog
      name="pause"
      title={`Pause topic ${row.label}, and let its messages wait?`}
      effect="Relays stop sending it from their next turn. What they already took is finished."
      evidence={claimWords(TOPIC_DIALOG_CLAIMS, { row, at: topic.at, rolledUpMs: topic.chart.rolledUpMs }).join(" ")}
      notDone="Nothing is lost, no attempt is counted, and operations go on writing to it. It stays paused until somebody resumes it."
      skipped="None of 1."
      verb="Pause 1 topic"
      path={`${path}/pause`}
      body={body}
      notOffered={actions.pause.whyNot}
    />
  );
}

function ResumeDialog({ topic }: { readonly topic: TopicView }) {
  const { row, actions } = topic;
  const { body, path } = common(topic);
  return (
    <ActionDialog
      name="resume"
      title={`Resume topic ${row.label}, and let ${plural(row.waiting, "message")} go?`}
      effect="Relays send its messages again, the oldest of each payment or account first."
      evidence={row.paused === undefined ? undefined : `Paused by ${row.paused.by}: ${row.paused.reason}`}
      notDone="Dead messages stay dead: they are requeued one by one or by a plan."
      verb="Resume 1 topic"
      path={`${path}/resume`}
      body={body}
      notOffered={actions.resume.whyNot}
    />
  );
}

function RouteDialog({ topic }: { readonly topic: TopicView }) {
  const { row, route, actions } = topic;
  const { body, path } = common(topic);
  const fields: readonly ActionField[] = [
    {
      name: "transport",
      label: "Transport",
      kind: "select",
      initial: route.chosen ?? "",
      options: [
        { value: "", label: `Deployment default: ${nameOf(route.fallback)}` },
        ...["http", "nats", "rabbitmq"].map((value) => ({
          value,
          label: route.offered.includes(value) ? nameOf(value) : `${nameOf(value)}, not configured here`,
          off: !route.offered.includes(value),
        })),
      ],
    },
    {
      name: "destination",
      label: `Destination; empty: ${route.otherwise}`,
      kind: "text",
      initial: route.destination ?? "",
      placeholder: "https://events.example/in, a subject, or an exchange",
      maxLength: 500,
    },
  ];
  return (
    <ActionDialog
      name="route"
      title={`Send topic ${row.label} another way?`}
      effect="From the relays' next turn its messages take this route. What is under way is finished on the old one."
      evidence={routeEvidence({ waiting: row.waiting, by: nameOf(route.transport) })}
      notDone="Ids and bodies stay the same, so a receiver that has a message already counts a duplicate. What was published is not sent again."
      verb="Change 1 topic"
      path={`${path}/route`}
      body={body}
      fields={fields}
      notOffered={actions.route.whyNot}
    />
  );
}

function nameOf(transport: string): string {
  return NAMES[transport] ?? transport;
}
