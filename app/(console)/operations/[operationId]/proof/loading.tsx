import { LoadingRows } from "@/components/feedback/loading-rows";

export default function ProofLoading() {
  return <LoadingRows rows={14} />;
}
