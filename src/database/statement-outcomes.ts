import { Injectable } from '@nestjs/common';
import { sqlState } from './database-errors.js';

const DISK_FULL = '53100';
/** A read-only transaction, a missing privilege. */
const REFUSED = new Set([DISK_FULL, '25006', '42501']);

/** What the statements of this process met. */
@Injectable()
export class StatementOutcomes {
  /** When (`performance.now()`) a statement succeeded last. */
  answeredAt = -Infinity;
  /** A write found no room on the disk, and none has been found since. */
  isDiskFull = false;
  /** The database refused a statement; the next examination may find out what else it refuses. */
  isRefused = false;

  noteAnswer(): void {
    this.answeredAt = performance.now();
  }

  noteFailure(error: unknown): void {
    const state = sqlState(error);
    if (state !== undefined && REFUSED.has(state)) this.isRefused = true;
    if (state === DISK_FULL) this.isDiskFull = true;
  }
}
