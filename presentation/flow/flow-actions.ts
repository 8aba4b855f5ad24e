import { formatCount } from "../format/display-time";
import { DELIVERIES_STOP } from "../message/endpoint-claims";
import type { ActionView } from "../views/common";
import type { FlowDetail, FlowNode } from "../views/flow";
import { waitingMessages, waitingWords } from "../format/waiting-count";

/** An action beside a node: opens a dialog of this page, leads elsewhere, or is not offered. */
export interface FlowAction {
  readonly name: string;
  /** What happens, what waits and what stays. */
  readonly effect?: string | undefined;
  readonly verb?: string | undefined;
  /** Value of `?dialog=`. */
  readonly dialog?: string | undefined;
  readonly href?: string | undefined;
  readonly primary?: boolean | undefined;
  readonly whyNot?: string | undefined;
}

interface ActionFacts {
  readonly node: FlowNode;
  readonly detail: FlowDetail;
  /** Why this person may not requeue there. */
  readonly whyNotRequeue?: string | undefined;
}

/** Where a node has a page of its own. */
export function nodeHref({ kind, name }: Pick<FlowNode, "kind" | "name">): string {
  const path = encodeURIComponent(name);
  if (kind === "operation") return `/operations?operation=${path}`;
  if (kind === "consumer") return `/consumers/${path}`;
  if (kind === "source") return "/settings/webhooks";
  return kind === "ledger" ? "/consumers/ledger" : `/topics/${path}`;
}

/** What may be done about a node: what is asked for most comes first. */
export function flowActions(facts: ActionFacts): readonly FlowAction[] {
  const { node, detail } = facts;
  const { topic } = detail;
  if (node.kind === "operation") return ofOperation(node);
  if (node.kind === "outside")
    return [{ name: "Change route", effect: FUTURE, verb: "Route…", href: `${nodeHref(node)}?dialog=route` }];
  if (node.kind === "source")
    return [
      {
        name: "Add or end a secret",
        effect: "Events signed with a secret are taken while it holds.",
        verb: "Secrets…",
        href: nodeHref(node),
      },
    ];
  if (node.kind === "ledger") return [{ name: "Change", whyNot: "entries are posted by the consumer, never by hand." }];
  const dead = deadAction(facts);
  const consumer: readonly FlowAction[] = [{ name: "Pause", whyNot: "only topics are paused, not consumers." }];
  return topic === undefined
    ? [dead, ...consumer]
    : [dead, ...topicActions(node, topic.actions), ...endpointActions(facts)];
}

const FUTURE = "From the next turn on. What relays have taken already may still go the old way.";

function ofOperation(node: FlowNode): readonly FlowAction[] {
  return [
    { name: "Open its operations", verb: "Open", href: nodeHref(node) },
    { name: "Change its policy", verb: "Policy…", href: `/policies/${encodeURIComponent(node.name)}` },
    { name: "Pause", whyNot: "callers send operations; only topics are paused." },
  ];
}

/** How many may go on once a node does, and what does not: another topic or message may still be before them. */
function goOn(node: FlowNode, stays: string): string {
  const { held } = node;
  const behind = held === undefined ? "" : `; ${formatCount(held.waiting)} of them wait on behind a dead message`;
  return `${waitingMessages(node)} may go on${behind}; ${stays}`;
}

function topicActions(node: FlowNode, actions: NonNullable<FlowDetail["topic"]>["actions"]): readonly FlowAction[] {
  const { waiting, paused, disabledAt } = node;
  const stays = "what is dead stays dead";
  const turn: FlowAction =
    paused === undefined
      ? {
          name: "Pause",
          verb: "Pause…",
          dialog: "pause",
          effect: "New messages wait; nothing is lost",
          whyNot: reasonOf(actions.pause),
        }
      : {
          name: "Resume",
          verb: "Resume…",
          dialog: "resume",
          primary: true,
          effect:
            waiting === 0
              ? "Nothing waits in it"
              : disabledAt === undefined
                ? goOn(node, stays)
                : `${waitingWords(node)} on until the endpoint is enabled`,
          whyNot: reasonOf(actions.resume),
        };
  const route: FlowAction = {
    name: "Change route",
    verb: "Route…",
    dialog: "route",
    effect: FUTURE,
    whyNot: reasonOf(actions.route),
  };
  return [turn, route];
}

function endpointActions({ detail: { endpoints }, node }: ActionFacts): readonly FlowAction[] {
  const [one] = endpoints?.endpoints ?? [];
  if (one === undefined) return [];
  const whyNot = endpoints?.whyNot;
  return one.disabled === undefined
    ? [
        {
          name: "Disable the endpoint",
          verb: "Disable…",
          dialog: `disable:${one.id}`,
          effect: `${DELIVERIES_STOP}; events of meanwhile are not kept for it`,
          whyNot,
        },
      ]
    : [
        {
          name: "Enable the endpoint",
          verb: "Enable…",
          dialog: `enable:${one.id}`,
          effect: enabledWords(node),
          whyNot,
        },
      ];
}

function enabledWords(node: FlowNode): string {
  const lost = "what happened meanwhile is not sent";
  if (node.waiting === 0) return `Nothing waits; ${lost}`;
  return node.paused === undefined ? goOn(node, lost) : `${waitingWords(node)} on until it is resumed; ${lost}`;
}

function reasonOf({ allowed, whyNot }: ActionView): string | undefined {
  return allowed ? undefined : (whyNot ?? "not now.");
}

/** One dead message is asked about here; of several a plan judges each. */
function deadAction({ node, detail, whyNotRequeue: whyNot }: ActionFacts): FlowAction {
  const { name, kind } = node;
  const side = kind === "consumer" ? "inbox" : "outbox";
  const [first] = detail.dead;
  // Read after the node's own count: one that died between the two reads is here, one that went on is not.
  const dead = Math.max(node.dead, detail.dead.length);
  if (first === undefined) return { name: "Requeue dead", whyNot: "nothing is dead here." };
  const left = detail.dead.every(({ requeueNot }) => requeueNot !== undefined) && dead <= detail.dead.length;
  if (dead > 1) {
    const query = new URLSearchParams({ side, place: name, dialog: "plan:requeue:all" });
    return {
      name: `Requeue ${formatCount(dead)} dead`,
      effect: "A plan judges each of them first; what waits stays in order",
      verb: "Plan…",
      href: `/dead-letters?${query.toString()}`,
      whyNot: whyNot ?? (left ? first.requeueNot : undefined),
    };
  }
  const { closes = false } = first;
  return {
    name: closes ? "Close 1 as delivered" : "Requeue 1 dead",
    effect: closes ? [first.safe.text, NONE_BEHIND].join(" ") : againWords(node),
    verb: closes ? "Close 1…" : "Requeue 1…",
    dialog: `requeue:${first.id}`,
    primary: true,
    whyNot: whyNot ?? first.requeueNot,
  };
}

const NONE_BEHIND = "Nothing waits behind it any more.";

/** What becomes of a message that is set going again at a node. */
function againWords({ kind, paused, disabledAt }: FlowNode): string {
  if (kind === "consumer") return "It waits to be handled again";
  if (disabledAt !== undefined) return "It waits again, until the endpoint is enabled";
  if (paused !== undefined) return "It waits again, until the topic is resumed";
  return "It waits to be sent again; what waits behind it keeps its place";
}
