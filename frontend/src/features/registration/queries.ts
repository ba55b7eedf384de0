import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "@/api/client";

type Answer = Schemas["RegistrationForm"];
/** What an open link brings: the choices, and for one that asks for more the form as it was sent. */
export type RegistrationForm = Required<Omit<Answer, "success">>;
export type FilledIn = Schemas["FilledIn"];

/** GET /register/init-info/{token}; null for a link that opens no form. */
export const registrationForm = (token: string) =>
  queryOptions({
    queryKey: ["registration", token],
    staleTime: Number.POSITIVE_INFINITY,
    meta: { onFailure: "alert" },
    queryFn: async ({ signal }): Promise<RegistrationForm | null> => {
      const path = { token };
      const { success, ...form } = unwrap(
        await api.GET("/register/init-info/{token}", { params: { path }, signal }),
      );
      return success === 1 ? (form as RegistrationForm) : null;
    },
  });
