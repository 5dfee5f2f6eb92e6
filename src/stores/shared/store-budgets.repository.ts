import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

/** $4: now, $5: purchases per second, $6: burst size. Returns no row if the budget is used up. */
const reserve = statement(
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

/** $1: app type, $2: environment; other parameters as in `reserve`. */
const reserveShared = statement(
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

/** An app's budget in one environment, or the one that all apps of a store share because it limits by address. */
export type BudgetKey =
  | { isShared: false; values: [projectId: string, appId: string, environment: string] }
  | { isShared: true; values: [appType: string, environment: string] };

@Injectable()
export class StoreBudgetsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns false if the budget is used up or blocked. */
  async reserve(
    { isShared, values }: BudgetKey,
    now: Date,
    perSecond: number,
    burst: number,
  ): Promise<boolean> {
    const rows = await this.database.query(isShared ? reserveShared : reserve, [
      ...values,
      now,
      perSecond,
      burst,
    ]);
    return rows.length > 0;
  }

  /** Returns null if calls are not blocked. */
  async blockedUntil({ isShared, values }: BudgetKey, now: Date): Promise<Date | null> {
    const blocked = isShared ? sharedBlockedUntil : blockedUntil;
    const [row] = await this.database.query<{ at: Date }>(blocked, [...values, now]);
    return row?.at ?? null;
  }

  async block({ isShared, values }: BudgetKey, until: Date): Promise<void> {
    await this.database.query(isShared ? blockShared : block, [...values, until]);
  }
}
