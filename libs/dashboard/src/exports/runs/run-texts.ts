import type { ExportRun } from '../exports.queries.js';

const modeWords: Record<ExportRun['mode'], string> = {
  incremental: 'New and changed rows',
  full: 'Every row',
};

const reasonWords: Record<NonNullable<ExportRun['mode_reason']>, string> = {
  first: 'the first run',
  cursor_expired: 'the last delivery was too long ago',
  changed: 'data set, format or destination changed',
};

/** `Every row (the first run)`. */
export function modeText({ mode, mode_reason: reason }: Pick<ExportRun, 'mode' | 'mode_reason'>): string {
  return reason === null ? modeWords[mode] : `${modeWords[mode]} (${reasonWords[reason]})`;
}

export const triggerText: Record<ExportRun['trigger'], string> = {
  schedule: 'Schedule',
  manual: 'Dashboard',
  api: 'API',
  cli: 'Command line',
};

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** `1,234 bytes`, `5.4 MB`. */
export function bytesText(locale: string, bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  if (bytes === 1) return '1 byte';
  return `${value.toLocaleString(locale, { maximumFractionDigits: unit === 0 ? 0 : 1 })} ${UNITS[unit] ?? ''}`;
}

/** Milliseconds from start to end, or until `now`; null before the start. */
export const durationOf = (
  { started_at: started, finished_at: finished }: Pick<ExportRun, 'started_at' | 'finished_at'>,
  now: number,
): number | null => (started === null ? null : Math.max(0, (finished ?? now) - started));
