import { afterEach, expect, test } from "vitest";
import { speak, t } from "./texts";

afterEach(() => speak({}));

test("a text is English until a catalogue comes, and keeps its values", () => {
  expect(t("Saved {time}", { time: "09:05" })).toBe("Saved 09:05");
  speak({ "Saved {time}": "{time} 저장됨" });
  expect(t("Saved {time}", { time: "09:05" })).toBe("09:05 저장됨");
  expect(t("Not known")).toBe("Not known");
});

test("the Korean catalogue is read", async () => {
  const texts = (await import("./locale/ko.po")).default;
  expect(texts["Remove row {row}"]).toBe("{row}행 삭제");
});
