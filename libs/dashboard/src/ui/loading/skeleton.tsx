import { cx } from '../cx.js';
import { useAfter } from './loaded.js';

/** Grey lines in place of text. They appear after 150 ms, but take up space immediately. */
export function Skeleton({ lines = 3, className }: { lines?: number; className?: string }) {
  const shown = useAfter(true, 150);
  return (
    <div role="status" aria-label="Loading" data-skeleton className={cx('grid gap-3', className)}>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className={cx('flex h-5 items-center', !shown && 'invisible')}>
          <div
            className="h-3 animate-pulse rounded-sm bg-line"
            style={{ width: `${[92, 68, 80, 56][index % 4]}%` }}
          />
        </div>
      ))}
    </div>
  );
}

/** Placeholder rows of a list, with their final height. */
export function SkeletonRows({ rows = 8 }: { rows?: number }) {
  const shown = useAfter(true, 150);
  return (
    <div role="status" aria-label="Loading" data-skeleton>
      {Array.from({ length: rows }, (_, index) => (
        <div
          key={index}
          className="ui-row-height flex items-center gap-6 border-b border-line px-4 last:border-b-0"
        >
          <div className={cx('flex flex-1 gap-6', !shown && 'invisible')}>
            {[30, 18, 24, 12].map((width, column) => (
              <div
                key={column}
                className={cx('h-3 animate-pulse rounded-sm bg-line', column > 1 && 'max-sm:hidden')}
                style={{ width: `${width - ((index * 7 + column * 3) % 8)}%` }}
              />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
