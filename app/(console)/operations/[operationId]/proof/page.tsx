import type { Metadata } from "next";
import { cache } from "react";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { processContainer } from "@/app/_server/container";
import { showRead } from "@/app/_server/show-page";
import { ProofView } from "@/components/proof/proof-view";
import { createProofSigner } from "@/console/proof/proof-signer";
import { readProof } from "@/console/proof/read-proof";

interface ProofPageProps {
  readonly params: Promise<{ readonly operationId: string }>;
}

/** Once for the title and the page: both are about the same document. */
const read = cache(async (operationId: string) => {
  const [ctx, { config }] = await Promise.all([consoleContext(), processContainer()]);
  const signer = createProofSigner(config.secret);
  return attempt(ctx, () => readProof(ctx, { operationId, signer, deployment: config.publicUrl }));
});

export async function generateMetadata({ params }: ProofPageProps): Promise<Metadata> {
  const found = await read((await params).operationId);
  return { title: found.ok && found.value !== undefined ? `Proof: ${found.value.proof.sentence}` : "Proof" };
}

export default async function ProofPage({ params }: ProofPageProps) {
  const { operationId } = await params;
  const address = `/operations/${operationId}/proof`;
  return showRead({ title: "Proof", what: "The proof", address }, await read(operationId), (found) => (
    <ProofView {...found} />
  ));
}
