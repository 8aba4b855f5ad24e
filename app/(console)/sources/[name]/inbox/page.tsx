import { sourceListPage } from "@/app/_server/source-page";

const { metadata, Page } = sourceListPage("incoming");

export const generateMetadata = metadata;
export default Page;
