import { LoadingRows } from "@/components/feedback/loading-rows";
import { PageTitle } from "@/components/ui/page-head";

export default function OperationsLoading() {
  return (
    <>
      <PageTitle>Operations</PageTitle>
      <LoadingRows rows={16} />
    </>
  );
}
