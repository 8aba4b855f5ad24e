import { AppError } from "@/domain/errors";

export function messageNotFound(side: "outbox" | "inbox"): AppError {
  return new AppError(`${side}.not_found`, 404, "There is no such message", { detail: "Nothing was changed." });
}
