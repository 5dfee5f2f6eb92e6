import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { Transaction } from '../../platform/database/database.service.js';
import type { OldestDue } from '../../platform/jobs/due-age.js';
import { CredentialHealthService } from './credential-health.service.js';
import { StoreRefreshJob } from './store-refresh.job.js';
import {
  type OpenSubscriptions,
  type RefreshTarget,
  StoreRefreshesRepository,
  type TimedRefresh,
} from './store-refreshes.repository.js';

export { REFRESH_SLICES } from './store-refreshes.repository.js';

@Injectable()
export class StoreRefreshesService implements OnModuleInit {
  constructor(
    private readonly repository: StoreRefreshesRepository,
    private readonly job: StoreRefreshJob,
    private readonly health: CredentialHealthService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.health.onRecovery(async (place) => {
      await this.repository.retry(place, new Date(this.clock.nowMs()));
      this.job.wake(place);
    });
  }

  /** Schedules refreshes at most `delayMs` from now. They survive a restart of this process. */
  async request(target: Omit<RefreshTarget, 'key'>, keys: string[], delayMs = 0): Promise<void> {
    await this.repository.request(target, keys, new Date(this.clock.nowMs() + delayMs));
    if (delayMs === 0) this.job.wake(target);
  }

  /** Spreads refreshes of an app's open subscriptions over time. */
  async requestOpen(open: OpenSubscriptions): Promise<void> {
    await this.repository.scheduleOpen(open);
  }

  /** Schedules refreshes in the caller's transaction, each at its own time. */
  async requestIn(tx: Transaction, projectId: string, wanted: TimedRefresh[]): Promise<void> {
    if (wanted.length === 0) return;
    await this.repository.requestMany(tx, projectId, wanted);
    const nowMs = this.clock.nowMs();
    for (const { appId, dueAtMs } of wanted) {
      if (dueAtMs <= nowMs) tx.afterCommit(() => this.job.wake({ projectId, appId }));
    }
  }

  oldestDue(): Promise<OldestDue> {
    return this.repository.oldestDue();
  }
}
