import { SetMetadata } from '@nestjs/common';
import { type JobName, jobName } from './job-events.js';

export const CLEANUP = Symbol('cleanup');

/** Deletes, or ends, at most `limit` rows whose time is not after `until`. Returns their number. */
export type CleanupMethod = (until: Date, limit: number) => Promise<number>;

export interface CleanupRule {
  job: JobName;
  /** How long rows are kept after the time that the method compares. */
  keptMs: number;
}

/** Makes CleanupsJob call this method of a provider every hour. @param job name in metrics; methods may share it */
export function Cleanup(job: string, keptMs = 0) {
  const rule: CleanupRule = { job: jobName(job), keptMs };
  return <Method extends CleanupMethod>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    SetMetadata(CLEANUP, rule)(target, key, descriptor);
  };
}
