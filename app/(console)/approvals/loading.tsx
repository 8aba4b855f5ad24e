import { LoadingRows } from "@/components/feedback/loading-rows";

export default function Loading() {
  return <LoadingRows />;
}
