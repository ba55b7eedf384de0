import { Download, FileText } from "lucide-react";
import type { components } from "@/api/schema.gen";
import { cx } from "@/shared/cx";
import { Loaded, type QueryState } from "./Panels";
import styles from "./RichText.module.css";

export type NoticeQuery = QueryState<components["schemas"]["NoticeDetail"]>;

/** Text and files of a notice; a skeleton until they are there. */
export function NoticeText({ notice }: { notice: NoticeQuery }) {
  return (
    <Loaded query={notice} height={40} className="">
      {(data) => (
        <>
          <div
            className={styles.notice}
            // biome-ignore lint/security/noDangerouslySetInnerHtml: the one field of the contract that is HTML; the server sanitises it on save and again on output.
            dangerouslySetInnerHTML={{ __html: data.noticeDetailContent }}
          />
          {data.fileList.length > 0 && (
            <ul className="grid gap-8 mt-16" aria-label="Files">
              {data.fileList.map((file) => (
                <li key={file.filename}>
                  <a
                    className="grid items-center gap-12 border border-line rounded-2 wrap-anywhere no-underline
                  text-ink grid-cols-[auto_1fr_auto] min-h-42 py-8 px-12
                  hover:bg-surface-2 [&>:first-child]:text-accent [&>:last-child]:text-ink-3"
                    href={file.url}
                    download
                  >
                    <FileText size={17} />
                    <span>{file.name}</span>
                    <Download />
                  </a>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Loaded>
  );
}

/** The privacy policy and the terms of use; each heading has the anchor that the server gave it. */
export function PolicyText({ html, compact = false }: { html: string; compact?: boolean }) {
  return (
    <div
      className={cx(
        styles.policy,
        "[&_h3]:mt-24 [&_h3]:mb-0 [&_h3]:mx-0 [&_h3]:[font-size:inherit] [&_h3]:font-bold",
        "[&_h2]:serif-22 [&_h2]:font-[520] [&_h2]:tracking-serif",
        compact && styles.compact,
      )}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: HTML of staff, sanitised by the server when it was published.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
