import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { StoreConnection } from './store-connections.service.js';
import type { RefreshTarget } from './store-refreshes.repository.js';

const DEFAULT_PER_SECOND = 10;
/** Unused calls accumulate for this many seconds. */
const BURST_S = 2;

/** $4: now, $5: purchases per second, $6: burst size. Returns no row if the budget is used up. */
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

/** $1: app type, $2: environment; other parameters as in `take`. */
const takeShared = statement(
  'shared_store_budgets.take',
  `INSERT INTO shared_store_budgets AS b (store, environment, tokens, refilled_at)
   VALUES ($1, $2, $5::float8 - 1, $3)
   ON CONFLICT (store, environment) DO UPDATE
     SET tokens = least($5, b.tokens + $4 * greatest(extract(epoch FROM $3 - b.refilled_at), 0)) - 1,
       refilled_at = greatest(b.refilled_at, $3)
     WHERE (b.blocked_until IS NULL OR b.blocked_until <= $3)
       AND b.tokens + $4 * greatest(extract(epoch FROM $3 - b.refilled_at), 0) >= 1
   RETURNING 1`,
);

const sharedBlockedUntil = statement(
  'shared_store_budgets.blocked_until',
  `SELECT blocked_until AS at FROM shared_store_budgets WHERE store = $1 AND environment = $2 AND blocked_until > $3`,
);

const blockShared = statement(
  'shared_store_budgets.block',
  `UPDATE shared_store_budgets SET blocked_until = greatest(blocked_until, $3) WHERE store = $1 AND environment = $2`,
);

type Place = Omit<RefreshTarget, 'key'>;
type Limits = Partial<Pick<StoreConnection, 'appTypes' | 'limitsByAddress' | 'refreshesPerSecond'>>;

/** Limits background calls to stores across all replicas. Requests with a caller waiting take precedence. */
@Injectable()
export class StoreBudgetsService {
  constructor(
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Reserves a call for one purchase. Returns 0 if the call is allowed, else the ms to wait before trying again. */
  async reserve(limits: Limits, place: Place): Promise<number> {
    const perSecond = limits.refreshesPerSecond?.[place.environment] ?? DEFAULT_PER_SECOND;
    const nowMs = this.clock.nowMs();
    const most = Math.max(perSecond * BURST_S, 1);
    const isShared = limits.limitsByAddress === true;
    const key = [...keyOf(limits, place), new Date(nowMs)];
    const taken = await this.database.query(isShared ? takeShared : take, [...key, perSecond, most]);
    if (taken.length > 0) return 0;
    const until = isShared ? sharedBlockedUntil : blockedUntil;
    const [blocked] = await this.database.query<{ at: Date }>(until, key);
    return blocked ? blocked.at.getTime() - nowMs : Math.ceil(1000 / perSecond);
  }

  /** Pauses calls because the store asked for it. */
  async block(limits: Limits, place: Place, forMs: number): Promise<void> {
    const until = new Date(this.clock.nowMs() + forMs);
    const isShared = limits.limitsByAddress === true;
    await this.database.query(isShared ? blockShared : block, [...keyOf(limits, place), until]);
  }
}

function keyOf(
  { appTypes = [], limitsByAddress }: Limits,
  { projectId, appId, environment }: Place,
): string[] {
  return limitsByAddress === true ? [appTypes[0] ?? '', environment] : [projectId, appId, environment];
}
