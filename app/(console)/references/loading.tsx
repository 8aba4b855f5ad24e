import { LoadingRows } from "@/components/feedback/loading-rows";

export default function ReferencesLoading() {
  return <LoadingRows rows={8} />;
}
