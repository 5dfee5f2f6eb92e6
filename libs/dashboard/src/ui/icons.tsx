import { cx } from './cx.js';
import { iconPaths } from './icon-paths.js';

export type IconName = keyof typeof iconPaths;

/** An outline icon in the colour of the text; without a label it is decoration. */
export function Icon({ name, label, className }: { name: IconName; label?: string; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      className={cx('size-4 shrink-0', className)}
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}
