import { ScanBarcode } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Failure } from "@/shared/ui/Panels";

/** Opens the camera that reads the EAN of a product into the search. */
export default function ScanButton({ onScan }: { onScan: (ean: string) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        square
        aria-label="Scan a barcode"
        icon={<ScanBarcode size={18} />}
        onClick={() => setOpen(true)}
      />
      <Dialog open={open} onClose={() => setOpen(false)} title="Scan a barcode" closesOnScrim>
        {open && (
          <Camera
            onScan={(ean) => {
              setOpen(false);
              onScan(ean);
            }}
          />
        )}
      </Dialog>
    </>
  );
}

const LOOK_MS = 200;
const FORMATS = ["ean_13", "ean_8", "upc_a"];

/** What browsers that read barcodes have; TypeScript does not know it. */
declare global {
  interface Window {
    BarcodeDetector?: new (options: {
      formats: string[];
    }) => { detect: (source: HTMLVideoElement) => Promise<readonly { rawValue: string }[]> };
  }
}

/** The camera's picture until a barcode is in it. Nothing of it leaves the device. */
function Camera({ onScan }: { onScan: (ean: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [failure, setFailure] = useState<string>();
  const report = useEffectEvent(onScan);

  useEffect(() => {
    const element = video.current;
    const { BarcodeDetector } = window;
    if (!element || !BarcodeDetector) return;
    const detector = new BarcodeDetector({ formats: FORMATS });
    let stream: MediaStream | undefined;
    let isOver = false;
    const look = async () => {
      const [code] = stream && element.readyState >= 2 ? await detector.detect(element) : [];
      if (code && !isOver) report(code.rawValue);
    };
    const begin = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      if (isOver) return stop();
      element.srcObject = stream;
      await element.play();
    };
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    begin().catch((error: unknown) => isOver || setFailure(reasonOf(error)));
    const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
      stop();
    };
  }, []);

  return (
    <>
      <video
        ref={video}
        className="block w-full rounded-2 bg-sunken aspect-[4/3] object-cover"
        muted
        playsInline
        aria-label="Camera"
      />
      <p className="mt-12 text-ink-2">Hold the barcode of a product in front of the camera.</p>
      <Failure text={failure} />
    </>
  );
}

function reasonOf(error: unknown): string {
  // What browsers throw here is no Error everywhere.
  const { name } = error as { name?: string };
  if (name === "NotAllowedError") return "The camera is not allowed. Allow it in the browser.";
  return "No camera was found.";
}
