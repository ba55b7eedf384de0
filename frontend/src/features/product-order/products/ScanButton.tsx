import { ScanBarcode } from "lucide-react";
import { useState } from "react";
import { Button } from "@/shared/ui/Button";
import ScanDialog from "./ScanDialog";

/** Opens the camera that reads the EAN of a product into the search. */
export default function ScanButton({ onFound }: { onFound: (ean: string) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        square
        aria-label="Scan a barcode"
        icon={<ScanBarcode size={18} />}
        onClick={() => setOpen(true)}
      />
      <ScanDialog
        open={open}
        onClose={() => setOpen(false)}
        onFound={(ean) => {
          setOpen(false);
          onFound(ean);
        }}
      />
    </>
  );
}
