import { messagePage } from "@/app/_server/message-page";

const page = messagePage("outbox");
export const generateMetadata = page.metadata;
export default page.Page;
