import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";

/** POST /login; 1 signed in, -1 not recognised, -2 not approved yet. */
export function useLogin() {
  return useMutation({
    mutationFn: async (body: { email: string; password: string }) =>
      unwrap(await api.POST("/login", { body })),
  });
}

/** POST /reset-password: a new password by a mailed link. */
export function useResetPassword() {
  return useMutation({
    mutationFn: async (body: { token: string; password: string; passwordConfirm: string }) =>
      unwrap(await api.POST("/reset-password", { body })),
  });
}
