import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.js';

type NoticeTone = 'neutral' | 'good' | 'warn' | 'bad';

const looks: Record<NoticeTone, { icon: IconName; box: string; mark: string }> = {
  neutral: { icon: 'info', box: 'border-line bg-hover', mark: 'text-muted' },
  good: { icon: 'success', box: 'border-good/40 bg-good/8', mark: 'text-good' },
  warn: { icon: 'warning', box: 'border-warn/40 bg-warn/8', mark: 'text-warn' },
  bad: { icon: 'error', box: 'border-bad/40 bg-bad/8', mark: 'text-bad' },
};

/** A highlighted sentence with its actions. */
export function Notice({ tone = 'neutral', children }: { tone?: NoticeTone; children: ReactNode }) {
  const { icon, box, mark } = looks[tone];
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={`flex gap-2 rounded-md border px-3 py-2.5 ${box}`}
    >
      <Icon name={icon} className={`mt-0.5 ${mark}`} />
      <div className="flex min-w-0 flex-col items-start gap-2 wrap-anywhere">{children}</div>
    </div>
  );
}
