import { Loading, Skeleton } from "@/shared/ui/Panels";

const NAME_WIDTHS = [146, 196, 244, 192, 242, 190, 238, 186];
const META_WIDTHS = [88, 120, 93, 126, 98, 131, 104, 136];
const ROWS = 9;

export function ProductSkeletons() {
  return (
    <Loading label="Loading products">
      {Array.from({ length: ROWS }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing.
        <div key={index} className="h-76 tablet:h-88 small:h-136">
          <ProductRowSkeleton index={index} />
        </div>
      ))}
    </Loading>
  );
}

export function ProductRowSkeleton({ index }: { index: number }) {
  return (
    <div className="flex items-center gap-14 h-full border-b border-line px-card py-14">
      <Skeleton width={56} height={56} radius={10} />
      <span className="grid gap-8 flex-1">
        <Skeleton width={NAME_WIDTHS[index % NAME_WIDTHS.length] ?? 0} height={14} />
        <Skeleton width={META_WIDTHS[index % META_WIDTHS.length] ?? 0} height={12} />
      </span>
      <Skeleton width={92} height={30} radius={8} />
    </div>
  );
}
