import { below } from "@/components/ui/base-path";
import { Link } from "@/components/ui/link";
import { RequeueDialogs } from "@/components/messages/requeue-dialog";
import { TopicDialogs } from "@/components/messages/topic-dialogs";
import { deadMessagesOf } from "@/components/messages/dead-message";
import { ButtonLink } from "@/components/ui/button";
import { DataList } from "@/components/ui/data-list";
import { DialogLink } from "@/components/ui/place-link";
import { Section } from "@/components/ui/section";
import { Glyph } from "@/components/ui/values/glyph";
import { Time } from "@/components/ui/values/time";
import { EndpointDialogs } from "@/components/webhooks/webhook-dialogs";
import { formatCount } from "@/presentation/format/display-time";
import { plural } from "@/presentation/format/words";
import { flowActions, nodeHref, type FlowAction } from "@/presentation/flow/flow-actions";
import { noTroubleWords } from "@/presentation/flow/flow-claims";
import { fitLabel } from "@/presentation/format/cut-middle";
import { isLate, lateFirst } from "@/presentation/flow/flow-state";
import { formatQuantity, formatRate, formatWait } from "@/presentation/flow/rate";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import type { FlowDetail, FlowNode, FlowView } from "@/presentation/views/flow";
import { FLOW_KIND_WORDS } from "./flow-chart";
import styles from "./flow.module.css";
import { isAtLeast, isUncounted, waitingCount } from "@/presentation/format/waiting-count";

const LISTED = 8;
const FED = 4;
/** Characters of a name in a list, and of one in a sentence. */
const NAME = 60;
const WAY = 32;

export interface FlowSideProps {
  readonly flow: FlowView;
  readonly selected: FlowNode | undefined;
  readonly detail: FlowDetail | undefined;
  readonly address: PageAddress;
  /** Why this person may not requeue, by side. */
  readonly whyNot: { readonly outbox: string | undefined; readonly inbox: string | undefined };
  /** The table in which each place is a row. */
  readonly tableHref: string;
}

/** The selected node with its facts and actions, or what needs a look while none is. */
export function FlowSide(props: FlowSideProps) {
  const { selected, detail } = props;
  if (selected === undefined || detail === undefined) return <NeedsLook {...props} />;
  return <Selected {...props} node={selected} detail={detail} />;
}

function NeedsLook({ flow, address, tableHref }: FlowSideProps) {
  const all = lateFirst(flow.nodes.filter(({ trouble }) => trouble));
  return (
    <Section title="Needs a look" note={all.length === 0 ? undefined : formatCount(all.length)} space="none">
      {all.length === 0 ? (
        <p className="note">{noTroubleWords(flow)} Choose a node to see its facts and actions.</p>
      ) : (
        <ul className={styles["actions"]}>
          {all.slice(0, LISTED).map((node) => (
            <li key={node.id}>
              <div>
                <Link href={hrefWith(address, { node: node.id })} scroll={false} className={styles["name"]}>
                  {fitLabel(node.label, NAME)}
                </Link>
                <span className={`${styles["state"] ?? ""} ${styles["below"] ?? ""}`}>
                  <Glyph name={node.state.glyph} tone={node.state.tone} size={12} />
                  <span className="note">{node.state.text}</span>
                </span>
              </div>
              <span className="note">{FLOW_KIND_WORDS[node.kind]}</span>
            </li>
          ))}
        </ul>
      )}
      {all.length > LISTED && (
        <p className="note">
          <a href={below(tableHref)}>{formatCount(all.length - LISTED)} more in the table</a>
        </p>
      )}
    </Section>
  );
}

interface SelectedProps extends FlowSideProps {
  readonly node: FlowNode;
  readonly detail: FlowDetail;
}

function Selected({ flow, node, detail, address, whyNot }: SelectedProps) {
  const { topic, endpoints, dead, verdict } = detail;
  const side = node.kind === "consumer" ? "inbox" : "outbox";
  const actions = flowActions({ node, detail, whyNotRequeue: whyNot[side] });
  return (
    <>
      <Section
        title={<span className={styles["title"]}>{node.label}</span>}
        note={FLOW_KIND_WORDS[node.kind]}
        right={<Link href={nodeHref(node)}>Open</Link>}
        space="none"
      >
        {verdict !== undefined && <p className={styles["lean"]}>{verdict.text}</p>}
        <Facts flow={flow} node={node} detail={detail} address={address} />
      </Section>
      <Section quiet title="Actions">
        <ul className={styles["actions"]}>
          {actions.map((action) => (
            <Action key={action.name} action={action} />
          ))}
        </ul>
      </Section>
      {topic !== undefined && <TopicDialogs topic={topic} />}
      {endpoints !== undefined && <EndpointDialogs view={endpoints} />}
      <RequeueDialogs side={side} rows={deadMessagesOf(dead)} whyNot={whyNot[side]} />
    </>
  );
}

function Action({
  action: { name, effect, verb, dialog, href, primary = false, whyNot },
}: {
  readonly action: FlowAction;
}) {
  return (
    <li>
      <div>
        <b className="strong block">{name}</b>
        {effect !== undefined && whyNot === undefined && <span className="note">{effect}</span>}
      </div>
      {whyNot !== undefined ? (
        <span className="note">Not offered: {whyNot}</span>
      ) : dialog !== undefined ? (
        <DialogLink small primary={primary} dialog={dialog}>
          {verb}
        </DialogLink>
      ) : (
        <ButtonLink small href={href ?? ""}>
          {verb}
        </ButtonLink>
      )}
    </li>
  );
}

function Facts({ flow, node, detail, address }: Omit<SelectedProps, "whyNot" | "selected" | "tableHref">) {
  const { rate, usual, oldestMs, dead, held, paused, down, kind } = node;
  const places = kind === "topic" || kind === "endpoint" || kind === "consumer";
  const unit = kind === "ledger" ? "entries" : "messages";
  return (
    <DataList
      items={[
        {
          name: "Rate",
          value: `${rate === undefined ? "not measured" : `${formatQuantity(node)} ${unit} a minute`}${usual === undefined ? "" : `, usual ${formatRate(usual)}`}`,
        },
        places && {
          name: "Waiting",
          value: `${waitingCount(node)}${held === undefined ? "" : `, ${formatCount(held.waiting)} behind a dead message`}`,
        },
        places && {
          name: "Oldest",
          value:
            oldestMs === undefined ? (
              isUncounted(node) ? (
                "not counted"
              ) : (
                "none"
              )
            ) : (
              <span className="toned" data-tone={isLate(node) ? "doubt" : undefined}>
                {formatWait(oldestMs)}
                {isAtLeast(node) && "+"}
              </span>
            ),
        },
        places && {
          name: "Dead",
          value: dead === 0 ? "none" : <DeadLink node={node} count={dead} />,
        },
        paused !== undefined && {
          name: "Paused",
          value: (
            <>
              since <Time at={paused.at} now={flow.at} form="clock" /> by {paused.by}
              {paused.reason !== "" && `: ${paused.reason}`}
            </>
          ),
        },
        down !== undefined && {
          name: "Circuit",
          value: (
            <>
              open since <Time at={down.since} now={flow.at} form="clock" />
              {down.code !== undefined && ` (${down.code})`}
            </>
          ),
        },
        { name: "Fed by", value: <Ways flow={flow} node={node} end="to" address={address} /> },
        { name: "Leads to", value: <Ways flow={flow} node={node} end="from" address={address} /> },
        held !== undefined && { name: "Order", value: `per payment or account; ${plural(held.lines, "line")} held` },
        detail.topic !== undefined && {
          name: "Route",
          value: `${detail.topic.route.transport}${detail.topic.route.chosen === undefined ? ", by default" : ""}: ${detail.topic.route.destination ?? detail.topic.route.otherwise}`,
        },
      ]}
    />
  );
}

function DeadLink({ node: { kind, name }, count }: { readonly node: FlowNode; readonly count: number }) {
  const query = new URLSearchParams({ side: kind === "consumer" ? "inbox" : "outbox", place: name });
  return (
    <Link href={`/dead-letters?${query.toString()}`} className="toned" data-tone="broken">
      {formatCount(count)} dead
    </Link>
  );
}

interface WaysProps extends Pick<FlowSideProps, "flow" | "address"> {
  readonly node: FlowNode;
  /** The end of an edge at which the node is. */
  readonly end: "from" | "to";
}

/** What feeds a node, or what it leads to: the most first. */
function Ways({ flow, node, end, address }: WaysProps) {
  const other = end === "to" ? "from" : "to";
  const ways = flow.edges.filter((edge) => edge[end] === node.id).sort((a, b) => (b.rate ?? 0) - (a.rate ?? 0));
  if (ways.length === 0) return end === "from" && node.leaves !== undefined ? node.leaves : "nothing that was seen";
  return (
    <>
      {ways.slice(0, FED).map((edge, index) => (
        <span key={edge[other]}>
          {index > 0 && ", "}
          <Link href={hrefWith(address, { node: edge[other] })} scroll={false}>
            {fitLabel(flow.nodes.find(({ id }) => id === edge[other])?.label ?? edge[other], WAY)}
          </Link>{" "}
          {formatQuantity(edge)}
          {edge.usual !== undefined && <span className="quiet"> (usual {formatRate(edge.usual)})</span>}
        </span>
      ))}
      {ways.length > FED && `, ${formatCount(ways.length - FED)} more`}
    </>
  );
}
