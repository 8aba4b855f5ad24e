import { LoadingRows } from "@/components/feedback/loading-rows";

export default function OperationLoading() {
  return <LoadingRows rows={10} />;
}
