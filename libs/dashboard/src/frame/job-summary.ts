import type { Job } from './jobs.js';

const words = { running: '', done: 'Done', cancelled: 'Cancelled', failed: 'Failed' };

/** How far a job is, in a few words. */
export function summaryOf({ status, done, total, isPercent, failures }: Job): string {
  const parts = [words[status]];
  if (isPercent) parts.push(`${done}%`);
  else if (total !== null) parts.push(`${done.toLocaleString()} of ${total.toLocaleString()}`);
  else if (status === 'running') parts.push(done > 0 ? `${done.toLocaleString()} so far` : 'Working');
  if (failures.length > 0) parts.push(`${failures.length} failed`);
  return parts.filter((part) => part !== '').join(' · ');
}
