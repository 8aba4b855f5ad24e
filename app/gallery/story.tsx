import Link from "next/link";
import { AfterChain } from "@/components/chain/after-chain";
import { Chain } from "@/components/chain/chain";
import { LaneTimeline } from "@/components/chain/lane-timeline";
import { ChartAge } from "@/components/charts/chart-age";
import { Strips } from "@/components/charts/strips";
import { DecisionBox, DecisionHead, Lean, OptionLine } from "@/components/feedback/decision-box";
import { SimpleTable } from "@/components/table/simple-table";
import { Button, ButtonLink } from "@/components/ui/button";
import { DataList, NotOffered } from "@/components/ui/data-list";
import { Id } from "@/components/ui/id";
import { CodeBlock } from "@/components/ui/masked";
import { Money } from "@/components/ui/money";
import { AmountBlock, PageHead } from "@/components/ui/page-head";
import { Section, TwoColumns } from "@/components/ui/section";
import { StateTag } from "@/components/ui/state-tag";
import { Time } from "@/components/ui/time";
import { Verdict } from "@/components/ui/verdict";
import { LANES, NOW, SERIES, TIMES, UNKNOWN_CHAIN } from "./samples";

const STARTED = "2026-11-19T14:02:09.114Z";
const OPERATION = "01a1f41d-635a-7175-b834-688aaec1e627";

/** The one story of the look: an operation whose outcome is unknown. */
export function GalleryStory({ asTable }: { readonly asTable: boolean }) {
  return (
    <>
      <PageHead
        ledeSize="large"
        lede={
          <>
            The provider stopped answering from 14:02 to 14:09. <b>Nothing has been sent twice:</b> no key has more than
            one execution.
          </>
        }
        aside={
          <>
            <ButtonLink primary href="/attention">
              Open the queue
            </ButtonLink>
            <ButtonLink href="/operations">See all</ButtonLink>
          </>
        }
      >
        <Verdict
          size="overview"
          clauses={[
            { text: "46 operations may have moved money." },
            { text: "€43,818.11 is in doubt,", tone: "doubt" },
            { text: "the oldest for 41 minutes." },
          ]}
        />
      </PageHead>
      <PageHead
        crumb={
          <>
            <Link href="/attention" data-plain>
              Unknown and stale
            </Link>{" "}
            1 of 46
          </>
        }
        crumbRight={
          <>
            Walk the queue <kbd>j</kbd> <kbd>k</kbd>
          </>
        }
        lede={
          <>
            POST /payments by <b>till-web</b> for account <Id value="acc_northgate_04" plain strong />, reference{" "}
            <Id value="order-88213" plain strong />. Key is open until 20 Nov, 14:02 UTC.
          </>
        }
        aside={
          <AmountBlock
            tag={<StateTag name="UNKNOWN_REQUIRES_RECOVERY" />}
            amount={<Money minor="1248000" currency="EUR" />}
            note={
              <>
                started <Time at={STARTED} now={NOW} form="ago" />, <Time at={STARTED} now={NOW} form="clock" /> UTC
              </>
            }
          />
        }
      >
        <Verdict
          as="h2"
          clauses={[
            { text: "Outcome unknown for 41 minutes.", tone: "doubt" },
            { text: "Sent to the provider once, never again. Answered 7 times, never with an outcome." },
            { text: "Ledger not posted.", tone: "doubt" },
          ]}
        />
      </PageHead>
      <Section title="Chain" note="key to ledger" right="usual run, key to ledger: 0.9 s" space="none">
        <Chain stations={UNKNOWN_CHAIN.stations} gap={UNKNOWN_CHAIN.gap} />
      </Section>
      <Section
        quiet
        title="What happened when"
        note="the axis breaks once"
        right={<Link href="/gallery">38 events</Link>}
        space="small"
      >
        <LaneTimeline {...LANES} />
      </Section>
      <DecisionBox tone="doubt" label="Settle" right={<Settle />}>
        <DecisionHead>Evidence</DecisionHead>
        <Lean>Leans to succeeded. One final source says so, one is not final, none says otherwise.</Lean>
        <SimpleTable
          label="Evidence"
          columns={[
            { id: "source", header: "Source" },
            { id: "says", header: "Says" },
            { id: "amount", header: "Amount", align: "right", phone: "hidden" },
            { id: "when", header: "When", phone: "hidden" },
          ]}
          rows={[
            {
              id: "webhook",
              cells: {
                source: "Signed webhook",
                says: <StateTag name="proven">succeeded</StateTag>,
                amount: "€12,480.00",
                when: "14:06:31",
              },
            },
            {
              id: "lookup",
              cells: {
                source: "Provider look-up",
                says: <StateTag name="in_progress">processing</StateTag>,
                amount: "€12,480.00",
                when: "14:42:41",
              },
            },
            {
              id: "ledger",
              cells: { source: "Ledger", says: <StateTag name="empty" />, amount: "0 of 2", when: "14:43:20" },
            },
          ]}
        />
        <AfterChain
          title="After “It succeeded”, by itself"
          steps={[
            { name: "Key", fact: "claimed", done: true },
            { name: "Operation", fact: "completed", done: true },
            { name: "Provider", fact: "confirmed", done: true },
            { name: "Outbox", fact: "1 row", done: false },
            { name: "Inbox", fact: "1 row", done: false },
            { name: "Ledger", fact: "2 entries", done: false },
          ]}
        />
      </DecisionBox>
      <TwoColumns side={<Side />}>
        <Section
          title="Last six hours"
          note="per 5 minutes, each strip on its own scale"
          right={
            <ChartAge
              at="2026-11-19T14:42:58Z"
              now={NOW}
              asTable={asTable}
              tableHref="/gallery?as=table"
              chartHref="/gallery"
            />
          }
        >
          <Strips
            label="Answers of the last six hours"
            times={TIMES}
            series={SERIES}
            totalLabel="6 h"
            asTable={asTable}
            bands={[
              { from: "2026-11-19T14:05:00Z", to: "2026-11-19T14:12:00Z", label: "provider timeouts 14:02 to 14:09" },
            ]}
          />
        </Section>
        <Section quiet title="Command" note="fingerprint v3, masked">
          <CodeBlock
            lines={[
              { name: "operation", value: "payments.create" },
              { name: "accountId" },
              { name: "amount", value: "12480.00 EUR" },
              { name: "channel", value: "web", note: "default" },
            ]}
          />
        </Section>
      </TwoColumns>
    </>
  );
}

function Settle() {
  return (
    <>
      <DecisionHead>Settle</DecisionHead>
      <OptionLine
        label="Ask the provider"
        text="Reads only. Next look-up by itself in 1 min 38 s."
        action={
          <ButtonLink stay small href="/gallery?dialog=ask">
            Ask now
          </ButtonLink>
        }
      />
      <OptionLine
        label="It succeeded"
        text="Stores 201 as the answer, posts 2 ledger entries, publishes payment.succeeded."
        action={
          <ButtonLink stay primary small href="/gallery?dialog=ask">
            Resolve
          </ButtonLink>
        }
      />
      <OptionLine
        off
        label="It failed"
        text="Not offered: a signed webhook says it succeeded."
        action={
          <Button small notOffered="A signed webhook says it succeeded.">
            Resolve
          </Button>
        }
      />
    </>
  );
}

function Side() {
  return (
    <>
      <Section title="Names of this operation">
        <DataList
          items={[
            { name: "Client key", value: <Id value="till-7-order-88213-pay-1" mark /> },
            { name: "Operation", value: <Id value={OPERATION} mark /> },
            { name: "Provider key", value: <Id value="provider_payment_01a1f41d-635d-7184-8c9b-307922d6b47d" mark /> },
            { name: "Ledger entries", value: "none yet" },
          ]}
        />
      </Section>
      <Section quiet title="Policy">
        <DataList
          items={[
            { name: "While running", value: "409, Retry-After 2" },
            { name: "Replay", value: "stored response" },
            { name: "Lease", value: "30 s" },
          ]}
        />
      </Section>
      <Section quiet title="Other actions">
        <NotOffered
          items={[
            { action: "Purge body", reason: "not while unknown" },
            { action: "Void payment", reason: "settle it first" },
            { action: "Send to provider again", reason: "never offered" },
          ]}
        />
      </Section>
    </>
  );
}
