import type { ComponentProps, ReactNode } from "react";

/** A native checkbox with its text as label. */
export function Checkbox({
  children,
  ...input
}: Omit<ComponentProps<"input">, "type" | "className"> & { children: ReactNode }) {
  return (
    <label className="inline-flex gap-10 cursor-pointer items-start min-h-24 phone:py-11">
      <input
        type="checkbox"
        className="flex-none w-18 h-18 mt-1 mb-0 mx-0 accent-graphic
          phone:w-22 phone:h-22 phone:m-0"
        {...input}
      />
      <span>{children}</span>
    </label>
  );
}
