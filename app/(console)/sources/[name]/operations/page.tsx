import { sourceListPage } from "@/app/_server/source-page";

const { metadata, Page } = sourceListPage("keys");

export const generateMetadata = metadata;
export default Page;
