import type { Seams } from "@/tests/crash/child/seams";
import type { PaymentProvider } from "@/payments/provider/port";
import type { CallResult } from "@/tests/crash/child/protocol";
import type { WriteEffect } from "@/tests/crash/child/recorder-consumer";

/** A planted bug of our own code, worn by every child that is told its name. */
export interface CodeBug {
  readonly seams?: readonly Seams[];
  provider?(provider: PaymentProvider): PaymentProvider;
  result?(told: CallResult): CallResult;
  /** Instead of the suite's own consumer's. */
  readonly effect?: WriteEffect;
}
