import { sourceListPage } from "@/app/_server/source-page";

const { metadata, Page } = sourceListPage("outgoing");

export const generateMetadata = metadata;
export default Page;
