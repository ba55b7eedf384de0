import { onlineManager, useMutation, useQuery } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { ApiError, SessionEnded } from "@/api/client";
import { Loaded } from "@/shared/ui/Panels";
import { answerAlert, renderScreen } from "@/test/render";

const WRONG = "Something went wrong. Please contact the administrator.";

interface ActionProps {
  fails: Error;
  onFailure?: "alert";
  except?: string[];
}

function Action({ fails, ...meta }: ActionProps) {
  const action = useMutation({
    meta,
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

const NOT_NOW = "This does not work right now. Please try again in a moment.";
const HELD = "Somebody else is changing this right now. Please try again in a moment.";

it.each([
  [503, "unavailable", NOT_NOW],
  [409, "busy", HELD],
])("says in the alert what the server says of %i %s", async (status, code, message) => {
  const user = await send({ fails: new ApiError(status, { code, message }), onFailure: "alert" });
  await answerAlert(user, message);
});

function Shown({ fails, hasNoPanel = false }: { fails: Error[]; hasNoPanel?: boolean }) {
  const query = useQuery({
    queryKey: ["shown"],
    meta: { onFailure: "alert", hasNoPanel },
    queryFn: async () => {
      const failure = fails.shift();
      if (failure) throw failure;
      return "It is there.";
    },
  });
  return <Loaded query={query}>{(text) => text}</Loaded>;
}

it("says what the server says in the place of what did not load, and tries again", async () => {
  const fails = [new ApiError(503, { code: "unavailable", message: NOT_NOW })];
  const { user } = renderScreen(<Shown fails={fails} />);
  expect(await screen.findByText(NOT_NOW)).toBeVisible();
  expect(screen.queryByRole("alertdialog")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("It is there.")).toBeVisible();
});

it("opens the alert for a query that no panel speaks for", async () => {
  const fails = [new ApiError(503, { code: "unavailable", message: NOT_NOW })];
  const { user } = renderScreen(<Shown fails={fails} hasNoPanel />);
  await answerAlert(user, NOT_NOW);
});

it("tells at once without a connection, and keeps no call back", async () => {
  onlineManager.setOnline(false);
  try {
    const user = await send({ fails: new TypeError("Failed to fetch"), onFailure: "alert" });
    await answerAlert(user, "You are offline.");
  } finally {
    onlineManager.setOnline(true);
  }
});

it.each<[string, ActionProps]>([
  ["only logs", { fails: new TypeError("Failed to fetch") }],
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
