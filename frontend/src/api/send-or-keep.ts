import { connection } from "@/shared/online";
import { isUnanswered } from "./errors";

/**
 * Sends it now; without a connection, and where no answer comes, keeps it to be sent later under the same key. Resolves to
 * whether it was sent.
 */
export async function sendOrKeep(
  send: () => Promise<unknown>,
  keep: () => Promise<void>,
): Promise<boolean> {
  if (connection.isOnline()) {
    try {
      await send();
      return true;
    } catch (error) {
      if (!isUnanswered(error)) throw error;
    }
  }
  await keep();
  return false;
}
