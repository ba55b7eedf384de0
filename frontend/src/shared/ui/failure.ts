import { connection } from "@/shared/online";
import * as texts from "@/shared/texts";

/** What is looked at of an ApiError. */
interface Refusal {
  readonly status: number;
  readonly isPassing: boolean;
  readonly message: string;
}

/** What is said in the place of what failed, where the specification names no alert. */
export function failureText(error: unknown): string {
  if (!connection.isOnline()) return texts.offline;
  const { status, isPassing, message } = (error ?? {}) as Partial<Refusal>;
  if (isPassing && message) return message;
  return status === 429 ? texts.tooManyAttempts : texts.didNotWork;
}
