import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { StoreConnection } from './store-connections.service.js';
import type { RefreshTarget } from './store-refreshes.repository.js';

const DEFAULT_PER_SECOND = 10;
/** Unused calls can be made up for this many seconds. */
const BURST_S = 2;

/** $4: now, $5: purchases per second, $6: burst size. Returns no row if nothing is left. */
const take = statement(
  'store_budgets.take',
  `INSERT INTO store_budgets AS b (project_id, app_id, environment, tokens, refilled_at)
   VALUES ($1, $2, $3, $6::float8 - 1, $4)
   ON CONFLICT (project_id, app_id, environment) DO UPDATE
     SET tokens = least($6, b.tokens + $5 * greatest(extract(epoch FROM $4 - b.refilled_at), 0)) - 1,
       refilled_at = greatest(b.refilled_at, $4)
     WHERE (b.blocked_until IS NULL OR b.blocked_until <= $4)
       AND b.tokens + $5 * greatest(extract(epoch FROM $4 - b.refilled_at), 0) >= 1
   RETURNING 1`,
);

const blockedUntil = statement(
  'store_budgets.blocked_until',
  `SELECT blocked_until AS at FROM store_budgets
   WHERE project_id = $1 AND app_id = $2 AND environment = $3 AND blocked_until > $4`,
);

const block = statement(
  'store_budgets.block',
  `UPDATE store_budgets SET blocked_until = greatest(blocked_until, $4)
   WHERE project_id = $1 AND app_id = $2 AND environment = $3`,
);

type Place = Omit<RefreshTarget, 'key'>;

/** Limits background calls to stores, across all replicas. Requests with a caller waiting take precedence. */
@Injectable()
export class StoreBudgetsService {
  constructor(
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Reserves a call for one purchase. Returns 0 to go ahead, else the ms to wait before trying again. */
  async take(
    { refreshesPerSecond }: Pick<StoreConnection, 'refreshesPerSecond'>,
    { projectId, appId, environment }: Place,
  ): Promise<number> {
    const perSecond = refreshesPerSecond?.[environment] ?? DEFAULT_PER_SECOND;
    const nowMs = this.clock.nowMs();
    const place = [projectId, appId, environment, new Date(nowMs)];
    const most = Math.max(perSecond * BURST_S, 1);
    if ((await this.database.query(take, [...place, perSecond, most])).length > 0) return 0;
    const [blocked] = await this.database.query<{ at: Date }>(blockedUntil, place);
    return blocked ? blocked.at.getTime() - nowMs : Math.ceil(1000 / perSecond);
  }

  /** The store asked for a pause. */
  async block({ projectId, appId, environment }: Place, forMs: number): Promise<void> {
    await this.database.query(block, [projectId, appId, environment, new Date(this.clock.nowMs() + forMs)]);
  }
}
