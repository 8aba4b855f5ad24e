import type { Metadata } from "next";
import { processContainer } from "@/app/_server/container";
import { sharedRead, showRead } from "@/app/_server/show-page";
import { ProofView } from "@/components/proof/proof-view";
import { createProofSigner } from "@/console/proof/proof-signer";
import { readProof } from "@/console/proof/read-proof";

interface ProofPageProps {
  readonly params: Promise<{ readonly operationId: string }>;
}

/** The title and the page are about the same document. */
const read = sharedRead(async (ctx, operationId: string) => {
  const { secret, publicUrl } = (await processContainer()).config;
  return readProof(ctx, { operationId, signer: createProofSigner(secret), deployment: publicUrl });
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
