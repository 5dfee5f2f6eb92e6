import { type ReactNode } from 'react';
import { cx } from './cx.js';
import { Icon, type IconName } from './icons.js';
import { type Tone } from './tone.js';

// Opaque, so that the contrast is the same on a selected row.
const tones: Record<Tone, string> = {
  neutral: 'bg-hover text-muted',
  good: 'bg-[color-mix(in_srgb,var(--color-good)_10%,var(--color-panel))] text-good',
  warn: 'bg-[color-mix(in_srgb,var(--color-warn)_10%,var(--color-panel))] text-warn',
  bad: 'bg-[color-mix(in_srgb,var(--color-bad)_10%,var(--color-panel))] text-bad',
  accent: 'bg-chosen text-accent',
};

const icons: Partial<Record<Tone, IconName>> = { good: 'success', warn: 'warning', bad: 'error' };

/** A state as a word. The tones good, warn and bad have an icon, so that color is not the only distinction. */
export function Badge({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: Tone;
  icon?: IconName;
  children: ReactNode;
}) {
  const shown = icon ?? icons[tone];
  return (
    <span
      className={cx(
        'inline-flex max-w-full items-center gap-1 rounded-sm px-1.5 py-0.5 align-middle text-xs font-medium',
        tones[tone],
      )}
    >
      {shown && <Icon name={shown} className="size-3.5!" />}
      <span className="truncate">{children}</span>
    </span>
  );
}
