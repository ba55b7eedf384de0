import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { token } from "@/shared/token";

interface NewPassword {
  company_id: number;
  password: string;
  passwordConfirm: string;
}

/** PUT /password/{company_id}. The old token ends with it: the one of the answer takes its place. */
export function useChangePassword() {
  return useMutation({
    mutationFn: async (body: NewPassword) => {
      const { company_id } = body;
      const answer = unwrap(
        await api.PUT("/password/{company_id}", {
          params: { path: { company_id: String(company_id) } },
          body,
        }),
      );
      if (answer.success === 1) token.set(answer.token);
      return answer;
    },
  });
}
