import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema.gen";

export type SignUp = components["schemas"]["SignUpRequest"];

/** POST /register/email-check; 1 mail sent, -1 already subscribed. */
export function useRequestLink() {
  return useMutation({
    meta: { onFailure: "alert", except: ["throttled"] },
    mutationFn: async (email: string) =>
      unwrap(await api.POST("/register/email-check", { body: { email } })),
  });
}

/** POST /register/sign-up; 1 sent, -1 already subscribed. Refusals of fields are the form's to show. */
export function useSignUp() {
  return useMutation({
    meta: { onFailure: "alert", except: ["throttled", "expired", "invalid"] },
    mutationFn: async (body: SignUp) => unwrap(await api.POST("/register/sign-up", { body })),
  });
}

/** POST /invitation: the first password; answers as a sign-in. */
export function useAcceptInvitation() {
  return useMutation({
    mutationFn: async (body: components["schemas"]["AcceptedInvitationRequest"]) =>
      unwrap(await api.POST("/invitation", { body })),
  });
}
