import { describe, expect, it, vi } from "vitest";
import { token } from "@/shared/token";
import { answer, refuse } from "@/test/server";
import { ApiError, api, isSessionEnd, unwrap, whenSessionEnds } from "./client";

const counters = async () => unwrap(await api.POST("/dashboard", { body: { uuid: "u" } }));
const EXPIRED = { message: "Your login information has expired. Please log in again." };

describe("the token", () => {
  it("goes with every call once it is stored", async () => {
    token.set("abc");
    const calls = answer("post", "/login", { success: -1 });
    await api.POST("/login", { body: { email: "a@b.test", password: "x" } });
    expect(calls[0]?.headers.get("x-access-token")).toBe("abc");
  });

  it("is left out when there is none", async () => {
    const calls = answer("post", "/login", { success: -1 });
    await api.POST("/login", { body: { email: "a@b.test", password: "x" } });
    expect(calls[0]?.headers.has("x-access-token")).toBe(false);
  });
});

describe("a 403", () => {
  it("without success ends the session and is told from other refusals", async () => {
    const ended = vi.fn();
    whenSessionEnds(ended);
    token.set("abc");
    refuse("post", "/dashboard", { status: 403, body: EXPIRED });
    const error = await counters().catch((thrown: unknown) => thrown);
    expect(isSessionEnd(error)).toBe(true);
    expect(ended).toHaveBeenCalledOnce();
  });

  it("with success is an ordinary refusal", async () => {
    const ended = vi.fn();
    whenSessionEnds(ended);
    refuse("post", "/dashboard", { status: 403, body: { success: 0, message: "No." } });
    const error = await counters().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(isSessionEnd(error)).toBe(false);
    expect(ended).not.toHaveBeenCalled();
  });

  it("to a call of an earlier session leaves the present one alone", async () => {
    const ended = vi.fn();
    whenSessionEnds(ended);
    token.set("earlier");
    const refusal = new Response(JSON.stringify(EXPIRED), { status: 403 });
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
      token.set("present");
      return refusal;
    });
    await counters().catch(() => undefined);
    expect(ended).not.toHaveBeenCalled();
  });
});

describe("a refusal", () => {
  it("becomes an ApiError with its code, message and fields", async () => {
    const body = {
      code: "out_of_stock",
      message: "Some products are out of stock. Please check and try again",
      errors: { "AUR-BC050": ["2 left"] },
    };
    refuse("post", "/dashboard", { status: 409, body });
    await expect(counters()).rejects.toMatchObject({ status: 409, ...body });
  });

  it("that is not the portal's has the code of an unforeseen failure", async () => {
    refuse("post", "/dashboard", { status: 502 });
    await expect(counters()).rejects.toMatchObject({ status: 502, code: "error" });
  });
});
