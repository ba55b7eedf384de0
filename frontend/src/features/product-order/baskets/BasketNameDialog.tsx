import { useState } from "react";
import { ApiError } from "@/api/client";
import { basket as store } from "@/domain/basket";
import { limits } from "@/shared/limits";
import { Button } from "@/shared/ui/Button";
import { Dialog, type DialogState } from "@/shared/ui/Dialog";
import { Checkbox, TextField } from "@/shared/ui/Field";
import { failureText } from "@/shared/ui/failure";
import { toast } from "@/shared/ui/toasts";
import { type SavedBasket, useChangeBasket } from "./keep-basket";

interface BasketNameDialogProps extends DialogState {
  /** The basket that is renamed; else the one of this browser is put by. */
  saved?: SavedBasket;
}

/** Names a basket, and asks whether colleagues see it. */
export default function BasketNameDialog({ open, saved, onClose }: BasketNameDialogProps) {
  const [name, setName] = useState(saved?.name ?? "");
  const [shared, setShared] = useState(saved?.is_shared === 1);
  const [missing, setMissing] = useState(false);
  const { mutate, isPending: busy, error: failed } = useChangeBasket();
  const submit = () => {
    const fields = { name: name.trim(), is_shared: Number(shared) as 0 | 1 };
    setMissing(!fields.name);
    if (busy || !fields.name) return;
    mutate(
      saved
        ? { kind: "basket-name", basket: saved.uuid, body: fields }
        : { kind: "basket", body: { kind: "named", ...fields, lines: [...store.lines()] } },
      {
        onSuccess: (isSaved) => {
          toast(`“${fields.name}” ${isSaved ? "saved" : "will be saved when you are back"}.`);
          onClose();
        },
      },
    );
  };
  const refused = failed instanceof ApiError && failed.status === 400 ? failed.message : undefined;
  const error = missing ? "Please enter a name." : (refused ?? (failed && failureText(failed)));
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={saved ? "Rename basket" : "Save this basket as …"}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" busy={busy}>
            Save
          </Button>
        </>
      }
    >
      <div className="grid gap-16">
        <TextField
          label="Name"
          required
          value={name}
          maxLength={limits.length.basket_name}
          error={error ?? undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <Checkbox checked={shared} onChange={(event) => setShared(event.target.checked)}>
          Share it with my colleagues
        </Checkbox>
      </div>
    </Dialog>
  );
}
