import { onlineManager, useMutation } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { ApiError, SessionEnded } from "@/api/errors";
import { answerAlert, renderScreen } from "@/test/render";

const WRONG = "Something went wrong. Please contact the administrator.";

interface ActionProps {
  fails: Error;
  onFailure: "alert" | "log";
  except?: string[];
}

function Action({ fails, onFailure, except = [] }: ActionProps) {
  const action = useMutation({
    meta: { onFailure, except },
    mutationFn: () => Promise.reject(fails),
  });
  return (
    <button type="button" onClick={() => action.mutate()}>
      {action.isError ? "Failed" : "Send"}
    </button>
  );
}

async function send(props: ActionProps) {
  const { user } = renderScreen(<Action {...props} />);
  await user.click(screen.getByRole("button"));
  await screen.findByText("Failed");
  return user;
}

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

it("opens the general alert for a call that asks for it", async () => {
  const user = await send({ fails: new TypeError("Failed to fetch"), onFailure: "alert" });
  await answerAlert(user, WRONG);
});

it("tells at once without a connection, and keeps no call back", async () => {
  onlineManager.setOnline(false);
  try {
    const user = await send({ fails: new TypeError("Failed to fetch"), onFailure: "alert" });
    await answerAlert(user, WRONG);
  } finally {
    onlineManager.setOnline(true);
  }
});

it.each<[string, ActionProps]>([
  ["only logs", { fails: new TypeError("Failed to fetch"), onFailure: "log" }],
  [
    "leaves a code that the screen treats to the screen",
    {
      fails: new ApiError(409, { code: "out_of_stock" }),
      onFailure: "alert",
      except: ["out_of_stock"],
    },
  ],
  ["is silent about an ended session", { fails: new SessionEnded(403, {}), onFailure: "alert" }],
])("%s", async (_, props) => {
  await send(props);
  expect(screen.queryByText(WRONG)).toBeNull();
});
