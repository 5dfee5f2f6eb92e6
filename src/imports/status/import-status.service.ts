import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { AuditLogService } from '../../platform/audit/audit-log.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { SharedReads } from '../../platform/database/shared-reads.js';
import { EXACT_UP_TO, type ImportCounts, isExact } from './import-counts.js';
import { ImportCountsRepository } from './import-counts.repository.js';

export interface ImportStatus {
  counts: ImportCounts;
  lastImportAtMs: number | null;
}

/** Maximum age of a large project's counts in a response. */
const MAX_AGE_MS = 60_000;
/** Counts stay up to date for this long after a request. */
const WATCHED_MS = 15 * 60_000;
/** A watch is extended only after this time, so that not every read writes. */
const PROLONG_AFTER_MS = 60_000;

@Injectable()
export class ImportStatusService {
  private readonly reads = new SharedReads<ImportCounts>();

  constructor(
    private readonly repository: ImportCountsRepository,
    private readonly auditLog: AuditLogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async forProject(projectId: string): Promise<ImportStatus> {
    const [counts, lastImportAtMs] = await Promise.all([
      this.reads.read(projectId, () => this.countsOf(projectId)),
      this.auditLog.lastAtMs(projectId, 'customers_imported'),
    ]);
    return { counts, lastImportAtMs };
  }

  /** Counts a large project only if it has not been watched for a while. Otherwise `ImportCountsJob` counts it. */
  private async countsOf(projectId: string): Promise<ImportCounts> {
    const nowMs = this.clock.nowMs();
    const saved = await this.repository.find(projectId);
    if (saved && saved.countedAtMs >= nowMs - MAX_AGE_MS) {
      const watchMs = nowMs + WATCHED_MS;
      if (saved.watchedUntilMs < watchMs - PROLONG_AFTER_MS) await this.repository.watch(projectId, watchMs);
      return saved.counts;
    }
    const exact = await this.repository.count(projectId, EXACT_UP_TO + 1, nowMs);
    if (isExact(exact)) return exact;
    const counts = await this.repository.count(projectId, null, nowMs);
    await this.repository.save({ projectId, countedAtMs: nowMs, watchedUntilMs: nowMs + WATCHED_MS, counts });
    return counts;
  }
}
