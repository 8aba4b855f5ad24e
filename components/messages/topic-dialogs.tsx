import { ActionDialog } from "@/components/feedback/action-dialog";
import type { ActionField } from "@/components/feedback/dialog-field";
import { claimWords } from "@/domain/page-claim";
import { routeEvidence } from "@/presentation/message/message-dialog-claims";
import { TOPIC_DIALOG_CLAIMS } from "@/presentation/message/place-verdict";
import type { TopicView } from "@/presentation/views/place-pages";

const NAMES: Readonly<Record<string, string>> = {
  http: "HTTP",
  nats: "NATS JetStream",
  rabbitmq: "RabbitMQ",
  kafka: "Kafka",
};

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

function evidenceOf({ row, at, chart }: TopicView): string {
  return claimWords(TOPIC_DIALOG_CLAIMS, { row, at, rolledUpMs: chart.rolledUpMs }).join(" ");
}

function PauseDialog({ topic }: { readonly topic: TopicView }) {
  const { row, actions } = topic;
  const { body, path } = common(topic);
  return (
    <ActionDialog
      name="pause"
      title={`Pause topic ${row.label}, and let its messages wait?`}
      effect="Relays take no more of its messages; what they have taken already may still be sent. A message of another topic waits too while one of this topic is before it for the same payment or account."
      evidence={evidenceOf(topic)}
      notDone="Nothing is lost, waiting counts no attempt, and operations go on writing to it. It stays paused until somebody resumes it."
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
      title={`Resume topic ${row.label}?`}
      effect="Relays take its messages again, the oldest of each payment or account first. What is behind a dead message, or one of another topic, still waits for that."
      evidence={
        <>
          {evidenceOf(topic)}
          {row.paused !== undefined && ` Paused by ${row.paused.by}: ${row.paused.reason}`}
        </>
      }
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
        ...["http", "nats", "rabbitmq", "kafka"].map((value) => ({
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
      effect="From the relays' next turn its messages take this route. What a turn that is under way takes may still go the old way."
      evidence={routeEvidence({ waiting: row.waiting, by: nameOf(route.transport) })}
      notDone="Ids and bodies stay the same, so a receiver can tell what it has already. What was published is not sent again."
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
