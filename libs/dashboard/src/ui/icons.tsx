import { useSyncExternalStore } from 'react';
import { cx } from './cx.js';
import type { iconPaths } from './icon-paths.js';

export type IconName = keyof typeof iconPaths;

let paths: typeof iconPaths | null = null;
const listeners = new Set<() => void>();

/** Called by the frame, which contains the icons. Elsewhere the first icon loads them. */
export function provideIcons(all: typeof iconPaths): void {
  paths = all;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  // Pages are readable without icons.
  if (paths === null)
    import('./icon-paths.js').then(
      ({ iconPaths: all }) => provideIcons(all),
      () => undefined,
    );
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** An outline icon in the text's color; decorative without a label. */
export function Icon({ name, label, className }: { name: IconName; label?: string; className?: string }) {
  const all = useSyncExternalStore(subscribe, () => paths);
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
      <path d={all?.[name]} />
    </svg>
  );
}
