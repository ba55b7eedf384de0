import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { TextAreaField, TextField } from "./Field";

const TOO_LONG = "Ensure this field has no more than 3 characters.";

it.each([TextField, TextAreaField])(
  "shows a pasted text whole, and that it is too long",
  async (Kind) => {
    function Form() {
      const [value, setValue] = useState("");
      const change = ({ target }: { target: { value: string } }) => setValue(target.value);
      return <Kind label="PO number" maxLength={3} value={value} onChange={change} />;
    }
    const user = userEvent.setup();
    render(<Form />);
    const field = screen.getByLabelText("PO number");
    await user.click(field);
    await user.paste("PO-7");
    expect(field).toHaveValue("PO-7");
    expect(field).toHaveAccessibleDescription(TOO_LONG);
    await user.keyboard("{Backspace}");
    expect(field).toHaveValue("PO-");
    expect(screen.queryByText(TOO_LONG)).toBeNull();
  },
);
