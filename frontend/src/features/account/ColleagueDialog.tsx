import { useState } from "react";
import { ApiError, fieldError } from "@/api/client";
import { limits } from "@/shared/limits";
import * as texts from "@/shared/texts";
import { Dialog, type DialogState, FormButtons } from "@/shared/ui/Dialog";
import { TextField } from "@/shared/ui/Field";
import { Failure, OfflineReason } from "@/shared/ui/Panels";
import { toast } from "@/shared/ui/toasts";
import { useAskForColleague } from "./queries";

/** Asks staff to let a colleague order for the company too. */
export default function ColleagueDialog(dialog: DialogState) {
  const ask = useAskForColleague();
  const [form, setForm] = useState({ manager: "", email: "" });
  const [isSent, setSent] = useState(false);
  const errorOf = (name: keyof typeof form) =>
    isSent && !form[name].trim() ? texts.fieldRequired : fieldError(ask.error, name);
  const submit = () => {
    setSent(true);
    const body = { manager: form.manager.trim(), email: form.email.trim() };
    if (!body.manager || !body.email) return;
    const finish = () => {
      toast("Your request was sent.");
      dialog.onClose();
    };
    return ask.mutateAsync(body, { onSuccess: finish }).catch(() => undefined);
  };
  const field = (name: keyof typeof form) => ({
    name,
    required: true,
    error: errorOf(name),
    value: form[name],
    onChange: (event: { target: { value: string } }) =>
      setForm({ ...form, [name]: event.target.value }),
  });
  const refused = ask.error instanceof ApiError && !Object.keys(ask.error.errors).length;
  return (
    <Dialog
      {...dialog}
      onSubmit={submit}
      title="Invite a colleague"
      footer={
        <FormButtons onCancel={dialog.onClose} busy={ask.isPending}>
          Ask for approval
        </FormButtons>
      }
    >
      <div className="grid gap-14">
        <p>
          Once we approve your colleague, we mail an invitation with a link to set a password. Your
          colleague can then see and place your company’s orders, as you do.
        </p>
        <TextField label="Name" maxLength={limits.length.manager} {...field("manager")} />
        <TextField
          label="Email"
          type="email"
          maxLength={limits.length.email}
          autoComplete="off"
          {...field("email")}
        />
        <Failure text={refused ? ask.error?.message : undefined} />
        <OfflineReason text="This needs a connection." />
      </div>
    </Dialog>
  );
}
