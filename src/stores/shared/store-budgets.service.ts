import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { type BudgetKey, StoreBudgetsRepository } from './store-budgets.repository.js';
import type { StoreConnection } from './store-connections.service.js';
import type { RefreshTarget } from './store-refreshes.repository.js';

const DEFAULT_PER_SECOND = 10;
/** Unused calls accumulate for this many seconds. */
const BURST_S = 2;

type Place = Omit<RefreshTarget, 'key'>;
type Limits = Partial<Pick<StoreConnection, 'appTypes' | 'limitsByAddress' | 'refreshesPerSecond'>>;

/** Limits background calls to stores across all replicas. Requests with a caller waiting take precedence. */
@Injectable()
export class StoreBudgetsService {
  constructor(
    private readonly repository: StoreBudgetsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Reserves a call for one purchase. Returns 0 if the call is allowed, else the ms to wait before trying again. */
  async reserve(limits: Limits, place: Place): Promise<number> {
    const perSecond = limits.refreshesPerSecond?.[place.environment] ?? DEFAULT_PER_SECOND;
    const nowMs = this.clock.nowMs();
    const most = Math.max(perSecond * BURST_S, 1);
    const key = keyOf(limits, place);
    if (await this.repository.reserve(key, new Date(nowMs), perSecond, most)) return 0;
    const blockedUntil = await this.repository.blockedUntil(key, new Date(nowMs));
    return blockedUntil ? blockedUntil.getTime() - nowMs : Math.ceil(1000 / perSecond);
  }

  /** Pauses calls because the store asked for it. */
  async block(limits: Limits, place: Place, forMs: number): Promise<void> {
    const until = new Date(this.clock.nowMs() + forMs);
    await this.repository.block(keyOf(limits, place), until);
  }
}

function keyOf(
  { appTypes = [], limitsByAddress }: Limits,
  { projectId, appId, environment }: Place,
): BudgetKey {
  return limitsByAddress === true
    ? { isShared: true, values: [appTypes[0] ?? '', environment] }
    : { isShared: false, values: [projectId, appId, environment] };
}
