import { Injectable } from '@nestjs/common';
import { systemActor } from '../access/organization-write.js';
import {
  type OrganizationTransaction,
  OrganizationWritesService,
} from '../access/organization-writes.service.js';
import { LicenceService } from '../licence/licence.service.js';
import { AuditRetentionRepository } from './audit-retention.repository.js';

const DAY_MS = 86_400_000;
const BATCH = 1_000;
/** Rows per transaction; keeps it short whatever the backlog. */
const MAX_ROWS = 100_000;

/** Deletes audit logs older than the organization's retention period. */
@Injectable()
export class AuditRetentionService {
  constructor(
    private readonly repository: AuditRetentionRepository,
    private readonly writes: OrganizationWritesService,
    private readonly licence: LicenceService,
  ) {}

  /** Deletes nothing without the licensed feature. */
  async purge(): Promise<void> {
    for (const orgId of await this.repository.organizations()) {
      let isMore = true;
      while (isMore && this.licence.feature('audit_retention')) isMore = await this.purgeOf(orgId);
    }
  }

  /** Runs one transaction with its own audit row. Returns whether more rows remain. */
  private purgeOf(orgId: string): Promise<boolean> {
    return this.writes.run({ orgId, actor: systemActor, requestId: null }, async (tx) => {
      if (!(await this.repository.lock(tx, orgId))) return false;
      const days = await this.repository.daysOf(tx, orgId);
      if (days === null) return false;
      const beforeMs = tx.nowMs() - days * DAY_MS;
      const { rows, isMore } = await this.deleteBefore(tx, new Date(beforeMs));
      if (rows === 0) return false;
      await tx.audit({
        action: 'audit_logs_purged',
        target: 'organization',
        targetId: orgId,
        data: { rows, before: beforeMs },
      });
      return isMore;
    });
  }

  private async deleteBefore(
    tx: OrganizationTransaction,
    before: Date,
  ): Promise<{ rows: number; isMore: boolean }> {
    const { orgId } = tx.write;
    const deleteSome = [
      () => this.repository.deleteOfOrganization(tx, orgId, before, BATCH),
      ...(await this.repository.projectsOf(tx, orgId)).map(
        (projectId) => () => this.repository.deleteOfProject(tx, projectId, before, BATCH),
      ),
    ];
    let rows = 0;
    for (const deleteNext of deleteSome) {
      for (let deleted = BATCH; deleted === BATCH;) {
        if (rows >= MAX_ROWS) return { rows, isMore: true };
        rows += deleted = await deleteNext();
      }
    }
    return { rows, isMore: false };
  }
}
