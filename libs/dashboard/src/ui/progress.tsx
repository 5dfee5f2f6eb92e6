import { cx } from './cx.js';

/** A small spinner. */
export function Spinner({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className={cx('size-4 shrink-0 animate-spin', className)}>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="2" opacity="0.25" />
      <path d="M8 2a6 6 0 0 1 6 6" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}

/** A progress bar; indeterminate without `max`. */
export function Progress({ label, value, max }: { label: string; value?: number; max?: number }) {
  const known = max !== undefined && max > 0 && value !== undefined;
  const share = known ? Math.min(1, Math.max(0, value / max)) : 0;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={known ? value : undefined}
      aria-valuemin={known ? 0 : undefined}
      aria-valuemax={known ? max : undefined}
      className="relative h-1.5 w-full overflow-hidden rounded-full bg-line"
    >
      {known ? (
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-150"
          style={{ width: `${share * 100}%` }}
        />
      ) : (
        <div className="ui-slide h-full w-1/3 rounded-full bg-accent" />
      )}
    </div>
  );
}
