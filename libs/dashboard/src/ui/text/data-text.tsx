import { cx } from '../cx.js';
import { cutText, visibleText } from './visible-text.js';

interface DataTextProps {
  children: string | number | boolean | null | undefined;
  mono?: boolean;
  /** Limits the text to one line, with an ellipsis. */
  truncate?: boolean;
  max?: number;
  className?: string;
}

/** Text from data. Makes hidden characters visible, and isolates its direction from the surrounding text. */
export function DataText({ children, mono, truncate, max = 2000, className }: DataTextProps) {
  const isNone = children === null || children === undefined;
  const full = isNone ? '—' : String(children);
  const shown = visibleText(cutText(full, max));
  return (
    <bdi
      data-none={isNone || undefined}
      className={cx(
        mono && 'font-mono text-[0.95em]',
        truncate ? 'inline-block max-w-full truncate align-bottom' : 'break-words [overflow-wrap:anywhere]',
        className,
      )}
      data-tip={truncate && full.length > 24 ? visibleText(cutText(full, 500)) : undefined}
    >
      {shown}
    </bdi>
  );
}
