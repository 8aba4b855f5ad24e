import Link from "next/link";
import type { MiniChainView } from "@/domain/chain";
import type { GlyphName } from "@/domain/glyph";
import type { AnswerOutcome, OperationState } from "@/domain/states";
import { Chain } from "@/components/chain/chain";
import { ShareBars } from "@/components/charts/share-bars";
import { Spark } from "@/components/charts/spark";
import { ActionDialog } from "@/components/feedback/action-dialog";
import { LoadingRows } from "@/components/feedback/loading-rows";
import { AlreadyDone, EmptyState, ErrorState, NoPermission, TooBroad } from "@/components/feedback/notice";
import { DataTable } from "@/components/table/data-table";
import { Pager } from "@/components/table/pager";
import type { TableColumn, TableRow } from "@/components/table/types";
import { AnswersStrip } from "@/components/ui/answers-strip";
import { Button, ButtonLink } from "@/components/ui/button";
import { FilterChips } from "@/components/ui/filter-chips";
import { FilterMenu } from "@/components/ui/filter-menu";
import { Id } from "@/components/ui/id";
import { MiniChain } from "@/components/ui/mini-chain";
import { Money } from "@/components/ui/money";
import { PageTitle } from "@/components/ui/page-head";
import { Row } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { StateTag } from "@/components/ui/state-tag";
import { Tabs } from "@/components/ui/tabs";
import { Time } from "@/components/ui/time";
import { Verdict } from "@/components/ui/verdict";
import styles from "./gallery.module.css";
import {
  DEAD_CHAIN,
  LOCAL_CHAIN,
  MINI_DEAD,
  MINI_LOCAL,
  MINI_MOVING,
  MINI_OK,
  MINI_REFUSED,
  MINI_UNKNOWN,
  NOW,
  UNKNOWN_CHAIN,
} from "./samples";

const STATES: readonly (readonly GlyphName[])[] = [
  ["executed", "replayed", "conflict", "in_progress", "expired_retry", "unknown", "failed"],
  [
    "IN_PROGRESS",
    "STALE",
    "COMPLETED",
    "FAILED_REPLAYABLE",
    "FAILED_RETRYABLE",
    "UNKNOWN_REQUIRES_RECOVERY",
    "EXPIRED",
  ],
  ["pending", "published", "dead", "recorded", "processed", "duplicate"],
  ["proven", "gap", "skipped", "empty", "same", "form"],
];

const COLUMNS: readonly TableColumn[] = [
  { id: "state", header: "State", phone: "left" },
  { id: "what", header: "Operation and key", phone: "left", grow: true },
  { id: "amount", header: "Amount", align: "right", phone: "right" },
  { id: "chain", header: "Key to ledger", phone: "hidden" },
  { id: "answers", header: "Answers", phone: "hidden" },
  { id: "age", header: "Age", align: "right", phone: "right", sort: { href: "/gallery?sort=age", direction: "asc" } },
];

const LINES: readonly (readonly [
  OperationState | "STALE",
  string,
  string,
  string,
  MiniChainView,
  readonly AnswerOutcome[],
  number,
  string,
])[] = [
  ["IN_PROGRESS", "Payment", "cart-5c1e…a90b", "6490", MINI_MOVING, ["executed"], 1, "2026-11-19T14:43:19Z"],
  [
    "COMPLETED",
    "Payment",
    "till-3-order-88311-pay-1",
    "24900",
    MINI_OK,
    ["executed", "replayed"],
    2,
    "2026-11-19T14:43:16Z",
  ],
  [
    "FAILED_REPLAYABLE",
    "Payment",
    "till-1-order-88309-pay-1",
    "31251",
    MINI_REFUSED,
    ["failed", "replayed"],
    2,
    "2026-11-19T14:43:05Z",
  ],
  [
    "FAILED_RETRYABLE",
    "Payment",
    "inv-2026-11-03391",
    "54000",
    MINI_MOVING,
    ["failed", "failed"],
    2,
    "2026-11-19T14:42:47Z",
  ],
  ["COMPLETED", "Account", "acc-open-seller-911", "", MINI_LOCAL, ["executed"], 1, "2026-11-19T14:42:42Z"],
  ["STALE", "Payment", "mp-88fa…019e", "194000", MINI_UNKNOWN, ["executed", "in_progress"], 2, "2026-11-19T14:41:10Z"],
  [
    "COMPLETED",
    "Payment",
    "till-7-order-88298-pay-1",
    "7560",
    MINI_DEAD,
    ["executed", "replayed", "replayed", "replayed", "replayed", "replayed"],
    11,
    "2026-11-19T14:36:50Z",
  ],
  [
    "UNKNOWN_REQUIRES_RECOVERY",
    "Payment",
    "till-7-order-88213-pay-1",
    "1248000",
    MINI_UNKNOWN,
    ["unknown", "in_progress", "in_progress", "unknown", "unknown", "conflict"],
    7,
    "2026-11-19T14:02:09Z",
  ],
  [
    "EXPIRED",
    "Payment",
    "inv-2026-11-02976",
    "12900",
    MINI_OK,
    ["executed", "expired_retry"],
    2,
    "2026-11-19T13:55:00Z",
  ],
];

const ROWS: readonly TableRow[] = LINES.map(([state, kind, key, minor, chain, answers, total, at]) => ({
  id: key,
  label: `${kind} ${key}`,
  href: `/gallery?open=${key}`,
  copy: key,
  current: state === "UNKNOWN_REQUIRES_RECOVERY",
  cells: {
    state: <StateTag name={state} />,
    what: (
      <>
        {kind} &ensp;
        <Id value={key} plain />
      </>
    ),
    amount: minor === "" ? "none" : <Money minor={minor} currency="EUR" />,
    chain: <MiniChain stations={chain} />,
    answers: <AnswersStrip answers={answers} total={total} />,
    age: <Time at={at} now={NOW} />,
  },
}));

export function GalleryPatterns() {
  return (
    <>
      <div className={styles["space"]}>
        <PageTitle note="~1.24 M kept, counted 40 s ago">Operations</PageTitle>
      </div>
      <Tabs
        label="Views"
        tabs={[
          { href: "/gallery", label: "All", current: true },
          { href: "/gallery?s=p", label: "In progress", count: "12" },
          { href: "/gallery?s=u", label: "Unknown", count: "46" },
          { href: "/gallery?s=s", label: "Stale", count: "3" },
          { href: "/gallery?s=c", label: "Completed", count: "~1.23 M" },
        ]}
      />
      <FilterChips
        chips={[
          { name: "time", value: "last 1 h", dropHref: "/gallery" },
          { name: "client is not", value: "load-test", dropHref: "/gallery" },
        ]}
        add={
          <FilterMenu
            fields={[
              { name: "client", label: "Client" },
              { name: "kind", label: "Kind", options: [{ value: "payments.create", label: "Payment" }] },
            ]}
          />
        }
        right={<>11,204 match, exact</>}
      />
      <DataTable
        label="Operations"
        columns={COLUMNS}
        rows={ROWS}
        selectable
        newer="operations"
        sum={{ what: "9 operations", amount: <Money minor="1629101" currency="EUR" /> }}
      />
      <Pager note="Newest first, 50 a page" olderHref="/gallery?page=2" />
      <Section title="Outcomes and states">
        <div className={styles["states"]}>
          {STATES.map((names) => (
            <ul key={names.join()}>
              {names.map((name) => (
                <li key={name}>
                  <StateTag name={name} />
                </li>
              ))}
            </ul>
          ))}
        </div>
      </Section>
      <Section title="Chains and their verdicts">
        <Verdict
          as="p"
          size="pane"
          clauses={[
            { text: "Executed once. Answered twice, byte-equal." },
            { text: "Outbox dead after 12 attempts.", tone: "broken" },
            { text: "Ledger not posted." },
          ]}
        />
        <Chain stations={DEAD_CHAIN.stations} gap={DEAD_CHAIN.gap} />
        <br />
        <Verdict
          as="p"
          size="pane"
          clauses={[{ text: "Executed once, answered once. Local path: no provider in it." }]}
        />
        <Chain stations={LOCAL_CHAIN.stations} />
        <div className={styles["pane"]}>
          <Chain stations={UNKNOWN_CHAIN.stations} gap={UNKNOWN_CHAIN.gap} compact />
        </div>
      </Section>
      <Section title="Small things">
        <Row>
          <Button primary>Ask for approval</Button>
          <Button>Cancel</Button>
          <Button small>Requeue</Button>
          <Button small notOffered="Not yet.">
            Requeue
          </Button>
          <ButtonLink stay href="/gallery?dialog=ask">
            Open the dialog
          </ButtonLink>
          <Spark values={[0, 0, 0, 2, 3, 5, 6, 5, 4]} color="conflict" label="21 in 24 hours" />
        </Row>
        <div className={styles["pane"]}>
          <ShareBars
            items={[
              { label: "amount × 10", count: 19 },
              { label: "amount, other", count: 2 },
              { label: "other fields", count: 0 },
            ]}
          />
        </div>
      </Section>
      <Section title="When there is nothing, or no way, to show">
        <div className={styles["notices"]}>
          <EmptyState
            title="Nothing is unknown and no lease is stale."
            text="Checked 2 s ago. The last one was settled 3 h ago by Tom Adeyemi."
            actions={<Link href="/gallery">See what was settled today</Link>}
          />
          <ErrorState
            title="The list did not load."
            text="Counts are still right as of 14:43:12."
            requestId="7f3a-19c2"
            retryHref="/gallery"
          />
          <TooBroad
            title="This search is too wide to be quick."
            text="It looked at 14 days and stopped after 10 s. The last 24 hours answer at once; your other filters stay."
            actions={
              <ButtonLink small href="/gallery">
                Use 24 hours
              </ButtonLink>
            }
          />
          <NoPermission action="Reconcile" need="operator" have="viewer" tenant="acme" />
          <AlreadyDone at="14:43:07" text="1 settled, 0 skipped." />
          <LoadingRows rows={3} />
        </div>
      </Section>
      <ActionDialog
        name="ask"
        title="Close 1 message as delivered, and let 188 go on?"
        effect={<>#8812 is marked published. The relay sends #8813 to #9000 in order, in about 20 s.</>}
        evidence={
          <>
            Inbox of ledger-post holds <Id value="01a1f41d-635a-7175-b834-688ac85e7f10" plain />, processed 14:36:09,
            same payload hash.
          </>
        }
        notDone="Nothing is sent again. No ledger entry is made."
        verb="Close 1 message"
        path="/api/v1/admin/outbox/8812/close"
      />
    </>
  );
}
