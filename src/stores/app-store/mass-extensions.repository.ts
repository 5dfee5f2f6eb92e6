import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { AppleNotification } from '../../../libs/stores/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService, type Executor } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { ExtendReason } from './mass-extension.dto.js';

export interface MassExtensionRow {
  appId: string;
  /** UUID of the request. */
  id: string;
  environment: 'production' | 'sandbox';
  productId: string;
  storeProductId: string;
  days: number;
  reason: ExtendReason;
  countries: string[];
  complete: boolean;
  completedAt: Date | null;
  succeeded: number | null;
  failed: number | null;
  requestedAt: Date;
}

type Summary = Pick<
  NonNullable<AppleNotification['summary']>,
  'requestIdentifier' | 'succeededCount' | 'failedCount'
>;

const columns = `r.app_id AS "appId", r.id, r.environment, r.product_id AS "productId",
     r.store_product_id AS "storeProductId", r.extend_by_days AS days, r.extend_reason_code AS reason,
     r.storefront_country_codes AS countries, r.complete, r.completed_at AS "completedAt",
     r.succeeded_count AS succeeded, r.failed_count AS failed, r.requested_at AS "requestedAt"`;

/** An identical request made since $11 is a retry: Apple may have accepted the first one although no answer arrived. */
const intend = statement(
  'mass_extensions.intend',
  `INSERT INTO subscription_mass_extensions AS r (project_id, app_id, id, environment, product_id, store_product_id,
     extend_by_days, extend_reason_code, storefront_country_codes, requested_at, answered)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, false)
   ON CONFLICT (project_id, app_id, environment, store_product_id, extend_by_days, extend_reason_code,
     storefront_country_codes) WHERE NOT answered
   DO UPDATE SET product_id = excluded.product_id,
     id = CASE WHEN r.requested_at < $11 THEN excluded.id ELSE r.id END,
     requested_at = CASE WHEN r.requested_at < $11 THEN excluded.requested_at ELSE r.requested_at END
   RETURNING ${columns}`,
);

const answered = statement(
  'mass_extensions.answered',
  `UPDATE subscription_mass_extensions SET answered = true
   WHERE project_id = $1 AND app_id = $2 AND id = $3 AND NOT answered`,
);

const find = statement(
  'mass_extensions.find',
  `SELECT ${columns} FROM subscription_mass_extensions r
   WHERE r.project_id = $1 AND r.app_id = $2 AND r.id = $3`,
);

const complete = statement(
  'mass_extensions.complete',
  `UPDATE subscription_mass_extensions
   SET complete = true, answered = true, completed_at = $4, succeeded_count = $5, failed_count = $6
   WHERE project_id = $1 AND app_id = $2 AND id = $3 AND NOT complete`,
);

@Injectable()
export class MassExtensionsRepository {
  constructor(
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Called before calling Apple. If an identical request since `repeatedSince` has an unknown outcome, returns that one
   * instead.
   */
  async intend(projectId: string, row: MassExtensionRow, repeatedSince: Date): Promise<MassExtensionRow> {
    const { appId, id, environment, productId, storeProductId, days, reason, countries, requestedAt } = row;
    const values = [projectId, appId, id, environment, productId, storeProductId, days, reason, countries];
    const rows = await this.database.query<MassExtensionRow>(intend, [...values, requestedAt, repeatedSince]);
    return rows[0] ?? row;
  }

  /** Apple accepted the request, so the next identical one is new. */
  async answered(executor: Executor, projectId: string, { appId, id }: MassExtensionRow): Promise<void> {
    await executor.query(answered, [projectId, appId, id]);
  }

  async find(projectId: string, appId: string, id: string): Promise<MassExtensionRow | null> {
    return (await this.database.query<MassExtensionRow>(find, [projectId, appId, id]))[0] ?? null;
  }

  /** Saves the outcome, once. `at` is Apple's time, ms. */
  async complete(
    projectId: string,
    appId: string,
    { requestIdentifier, succeededCount, failedCount }: Summary,
    at: number = this.clock.nowMs(),
  ): Promise<void> {
    const counts = [succeededCount ?? 0, failedCount ?? 0];
    await this.database.query(complete, [projectId, appId, requestIdentifier ?? '', new Date(at), ...counts]);
  }
}
