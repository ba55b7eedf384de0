import { texts } from "@/shared/texts";

/** What a button says beside itself when its call failed and the specification names no alert. */
export function failureText(error: unknown): string {
  const throttled = (error as { status?: number } | null)?.status === 429;
  return throttled ? texts.tooManyAttempts : texts.didNotWork;
}
