import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../libs/kernel/index.js';
import type { AppleNotification } from '../../libs/stores/index.js';
import type { App } from '../apps/app.entity.js';
import { CLOCK } from '../config/clock.token.js';
import { Database, type Executor } from '../database/database.js';
import { statement } from '../database/statement.js';
import type { ExtendReason } from './mass-extension.dto.js';

export interface MassExtensionRow {
  appId: string;
  /** UUID of the request. */
  id: string;
  environment: 'production' | 'sandbox';
  /** As it was asked for. */
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

/** How a request ended, as Apple says. */
type Summary = Pick<
  NonNullable<AppleNotification['summary']>,
  'requestIdentifier' | 'succeededCount' | 'failedCount'
>;

const insert = statement(
  'mass_extensions.insert',
  `INSERT INTO subscription_mass_extensions (project_id, app_id, id, environment, product_id, store_product_id,
     extend_by_days, extend_reason_code, storefront_country_codes, requested_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

const find = statement(
  'mass_extensions.find',
  `SELECT app_id AS "appId", id, environment, product_id AS "productId", store_product_id AS "storeProductId",
     extend_by_days AS days, extend_reason_code AS reason, storefront_country_codes AS countries, complete,
     completed_at AS "completedAt", succeeded_count AS succeeded, failed_count AS failed,
     requested_at AS "requestedAt"
   FROM subscription_mass_extensions WHERE project_id = $1 AND app_id = $2 AND id = $3`,
);

const complete = statement(
  'mass_extensions.complete',
  `UPDATE subscription_mass_extensions
   SET complete = true, completed_at = $4, succeeded_count = $5, failed_count = $6
   WHERE project_id = $1 AND app_id = $2 AND id = $3 AND NOT complete`,
);

/** Queries on extensions of all subscribers of a product. */
@Injectable()
export class MassExtensionsRepository {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async insert(executor: Executor, projectId: string, row: MassExtensionRow): Promise<void> {
    const { appId, id, environment, productId, storeProductId, days, reason, countries, requestedAt } = row;
    const values = [projectId, appId, id, environment, productId, storeProductId, days, reason, countries];
    await executor.query(insert, [...values, requestedAt]);
  }

  async find(projectId: string, appId: string, id: string): Promise<MassExtensionRow | null> {
    return (await this.database.query<MassExtensionRow>(find, [projectId, appId, id]))[0] ?? null;
  }

  /** Notes how one ended, once; `at` is Apple's time, ms. */
  async complete(
    { projectId, id: appId }: Pick<App, 'projectId' | 'id'>,
    { requestIdentifier, succeededCount, failedCount }: Summary,
    at: number = this.clock.nowMs(),
  ): Promise<void> {
    const counts = [succeededCount ?? 0, failedCount ?? 0];
    await this.database.query(complete, [projectId, appId, requestIdentifier ?? '', new Date(at), ...counts]);
  }
}
