import { below } from "@/components/ui/base-path";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/feedback/notice";
import { FollowPage } from "@/components/shell/live-provider";
import { Id } from "@/components/ui/values/id";
import { AmountBlock, PageHead } from "@/components/ui/page-head";
import { Section, TwoColumns } from "@/components/ui/section";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { displayMoney, parseAmount } from "@/domain/money";
import type { OperationNaming } from "@/domain/operation-kind";
import type { ProofCounts, ProofIdentity, ProofRequestCounts, SignedProof } from "@/presentation/proof/proof-statement";
import type { VerdictView } from "@/presentation/views/common";
import { DataList } from "@/components/ui/data-list";
import { plural } from "@/presentation/format/words";
import { ProofActions } from "./proof-actions";
import { ProofClaims } from "./proof-claims";
import { PROOF_VERDICT_FACES } from "./proof-words";
import styles from "./proof.module.css";

export interface ProofViewProps {
  readonly proof: SignedProof;
  readonly verdict: VerdictView;
  readonly about: OperationNaming;
}

const INDENT = 2;

/** One operation's proof: the answer in a sentence, then what it rests on. Made to be printed on one page. */
export function ProofView({ proof, verdict, about }: ProofViewProps) {
  return (
    <article className={styles["proof"]} aria-label="Proof">
      {proof.verdict === "open" && (
        <FollowPage page={`operations/${proof.operationId}`} since={proof.issuedAt} refresh="always" />
      )}
      <Head proof={proof} verdict={verdict} about={about} />
      <ProofActions json={JSON.stringify(proof, undefined, INDENT)} fileName={`proof-${proof.operationId}.json`} />
      <Remarks proof={proof} />
      <TwoColumns side={<ProofSide proof={proof} />}>
        <ProofClaims proof={proof} />
      </TwoColumns>
    </article>
  );
}

function Head({ proof, verdict, about: { kind, route } }: ProofViewProps) {
  const face = PROOF_VERDICT_FACES[proof.verdict];
  return (
    <PageHead
      crumb={
        <>
          <Link href="/operations">Operations</Link> · <Link href={`/operations/${proof.operationId}`}>{kind}</Link> ·{" "}
          <span>Proof</span>
        </>
      }
      lede={<Lede proof={proof} route={route} />}
      aside={
        <AmountBlock
          tag={
            <StateTag name={face.glyph} tone={face.tone}>
              {face.word}
            </StateTag>
          }
          amount={amountOf(proof) ?? kind}
          note={
            <>
              issued <Time at={proof.issuedAt} now={proof.issuedAt} form="millis" />
            </>
          }
        />
      }
      verdict={verdict.clauses}
    />
  );
}

function amountOf({ operation: { amount, currency } }: SignedProof): string | undefined {
  if (amount === undefined || currency === undefined) return undefined;
  const minor = parseAmount(amount, currency);
  return minor === undefined ? `${amount} ${currency}` : displayMoney(minor, currency);
}

function Lede({ proof, route }: { readonly proof: SignedProof; readonly route: string }) {
  const { operation } = proof;
  return (
    <>
      {route} by <b>{operation.client}</b>, key <Id value={operation.key} strong />, tenant <b>{proof.tenant}</b>. Read
      from one moment of the database, <Time at={proof.issuedAt} now={proof.issuedAt} form="exact" />, and signed by{" "}
      <b>{proof.deployment}</b>.
    </>
  );
}

/** What is wrong, what is missing, what is gone: before the table in which it can be found. */
function Remarks({ proof }: { readonly proof: SignedProof }) {
  return (
    <div className={styles["remarks"]}>
      {proof.verdict === "broken" && (
        <Notice
          tone="broken"
          title="Something that must hold does not."
          text="Somebody has to compare the rows below with the provider's own records before anything else is done with it."
        />
      )}
      {proof.missing.length > 0 && <Notice title="What is missing." text={<List items={proof.missing} />} />}
      {proof.notShown.length > 0 && (
        <Notice
          tone="doubt"
          title="What cannot be shown, and is not counted as proven."
          text={<List items={proof.notShown} />}
        />
      )}
    </div>
  );
}

function List({ items }: { readonly items: readonly string[] }) {
  return (
    <ul className={styles["list"]}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

function ProofSide({ proof }: { readonly proof: SignedProof }) {
  return (
    <div className={styles["side"]}>
      <Section title="Stable names" note="the same on every attempt" space="none">
        <DataList items={identities(proof.identities)} />
      </Section>
      <Section quiet title="Counted" space="small">
        <DataList items={counts(proof.counts)} />
      </Section>
      <Section quiet title="Signature" space="small">
        <DataList
          items={[
            { name: "Algorithm", value: proof.signature.algorithm },
            { name: "Key", value: <Id value={proof.signature.keyId} mark /> },
            { name: "Value", value: <Id value={proof.signature.value} mark /> },
            { name: "Format", value: proof.format },
          ]}
        />
        <p className={styles["how"]}>
          Anybody can check it without asking us: <code>verifyProof(proof, keys)</code> of the client library, with the{" "}
          <a href={below("/api/v1/proof-keys")}>public keys</a>. One changed name or value and it does not hold.
        </p>
      </Section>
    </div>
  );
}

function identities(items: readonly ProofIdentity[]) {
  const seen = new Map<string, number>();
  return items.map(({ name, value, none }) => {
    const number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    return {
      name: number === 1 ? name : `${name} ${String(number)}`,
      value: value === undefined ? <span className="quiet">{none}</span> : <Id value={value} mark />,
    };
  });
}

const REQUESTS: readonly (readonly [keyof ProofRequestCounts, string])[] = [
  ["executed", "executed"],
  ["replayed", "replayed"],
  ["conflict", "conflict"],
  ["inProgress", "in progress"],
  ["unknown", "unknown"],
  ["expiredRetry", "expired"],
  ["failed", "failed"],
  ["unanswered", "without an answer"],
];

/** Only what there was; the zeros that matter are claims. */
function counts(counted: ProofCounts) {
  const requests = REQUESTS.filter(([name]) => counted.requests[name] !== "0").map(
    ([name, word]) => `${counted.requests[name]} ${word}`,
  );
  const provider = [
    counted.providerCallsSent === "0"
      ? "none sent"
      : `${counted.providerCallsSent} sent, ${counted.providerCallsAnswered} answered`,
    ...(counted.lookUps === "0" ? [] : [plural(Number(counted.lookUps), "look-up")]),
    ...(counted.webhooks === "0" ? [] : [plural(Number(counted.webhooks), "signed event")]),
  ];
  const owners = [
    counted.owners,
    ...(counted.takeovers === "0" ? [] : [`${counted.takeovers} by take-over`]),
    ...(counted.fencedWrites === "0" ? [] : [`${counted.fencedWrites} fenced`]),
  ];
  const again = counted.duplicateArrivals === "0" ? "" : `, ${counted.duplicateArrivals} duplicate`;
  return [
    {
      name: "Requests",
      value: requests.length === 1 ? requests[0] : [counted.requests.total, requests.join(", ")].join(": "),
    },
    {
      name: "Executions",
      value:
        counted.settledByHand === "0"
          ? counted.executions
          : `${counted.executions === "0" ? "none confirmed" : counted.executions}, settled by hand`,
    },
    { name: "Owners", value: owners.join(", ") },
    { name: "Provider calls", value: provider.join(", ") },
    { name: "Events", value: `${counted.events}, ${plural(Number(counted.deliveries), "delivery", "deliveries")}` },
    { name: "Consumers", value: `${counted.consumers}${again}` },
    { name: "Ledger entries", value: counted.ledgerEntries },
    { name: "Receipts", value: counted.notifications },
  ];
}
