import { LoadingRows } from "@/components/feedback/loading-rows";

export default function ReferenceLoading() {
  return <LoadingRows rows={10} />;
}
