import { Download, FileText } from "lucide-react";
import styles from "./NoticeText.module.css";
import { RetryPanel } from "./Panels";
import { Skeleton } from "./Skeleton";

export interface NoticeQuery {
  data:
    | {
        noticeDetailTitle: string;
        noticeDetailContent: string;
        fileList: readonly { filename: string; name: string; url: string }[];
      }
    | undefined;
  error: unknown;
  isError: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

/** Text and files of a notice; skeletons until they are there. */
export function NoticeText({ notice }: { notice: NoticeQuery }) {
  const { data, error, isError, isFetching, refetch } = notice;
  if (!data && isError)
    return <RetryPanel error={error} busy={isFetching} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div className="grid gap-8" aria-busy>
        <Skeleton width="100%" height={16} />
        <Skeleton width="80%" height={16} />
      </div>
    );
  }
  return (
    <>
      <div
        className={styles.text}
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
                <FileText size={17} strokeWidth={1.8} aria-hidden />
                <span>{file.name}</span>
                <Download size={16} strokeWidth={1.8} aria-hidden />
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
