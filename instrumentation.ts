/**
 * Next calls this once, when a server of it starts. Under `npm run serve` requests come to our own server; a platform whose server
 * is none of Node's, or one that must see every request itself (API_THROUGH_NEXT=true), gets the API from app/api.
 */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] !== "nodejs" || process.env["API_THROUGH_NEXT"] === "true") return;
  const { sharedConfig } = await import("@/engine/module/config");
  if (sharedConfig() !== undefined) return;
  const { answerApiFirst } = await import("@/app/_server/api-first");
  answerApiFirst();
}
