import { DataList } from "@/components/ui/data-list";
import { Id } from "@/components/ui/values/id";
import { Section } from "@/components/ui/section";
import type { ProofCounts, ProofIdentity, ProofRequestCounts, SignedProof } from "@/presentation/proof/proof-statement";
import { plural } from "@/presentation/format/words";
import shared from "@/components/ui/shared.module.css";
import styles from "./proof.module.css";

/** The names that never change, what was counted, and what makes the document one. */
export function ProofSide({ proof }: { readonly proof: SignedProof }) {
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
          <a href="/api/v1/proof-keys">public keys</a>. One changed character and it does not hold.
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
      value: value === undefined ? <span className={shared["quiet"]}>{none}</span> : <Id value={value} mark />,
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
    { name: "Executions", value: counted.executions },
    { name: "Owners", value: owners.join(", ") },
    { name: "Provider calls", value: provider.join(", ") },
    { name: "Events", value: `${counted.events}, ${plural(Number(counted.deliveries), "delivery", "deliveries")}` },
    { name: "Consumers", value: `${counted.consumers}${again}` },
    { name: "Ledger entries", value: counted.ledgerEntries },
    { name: "Receipts", value: counted.notifications },
  ];
}
