import { Inject, Injectable } from '@nestjs/common';
import type { ExplainedEntitlement } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { type CustomerRow, timeOf } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { AccessExplanationRepository } from './access-explanation.repository.js';
import { type AccessFacts, type AccessSource, explainAccess } from './explain-access.js';

export interface AccessExplanation {
  customer: CustomerRow;
  catalog: Catalog;
  facts: AccessFacts;
  entitlements: ExplainedEntitlement<AccessSource>[];
  explainedAtMs: number;
}

@Injectable()
export class AccessExplanationService {
  constructor(
    private readonly repository: AccessExplanationRepository,
    private readonly customers: CustomersService,
    private readonly catalogs: CatalogService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Explains current access by the customer's clock. @throws ApiError 404 */
  async explain(projectId: string, appUserId: string): Promise<AccessExplanation> {
    const catalog = await this.catalogs.get(projectId);
    const { customer, facts } = await this.read(projectId, appUserId);
    const explainedAtMs = timeOf(customer, this.clock.nowMs());
    const entitlements = explainAccess(facts, catalog, explainedAtMs);
    return { customer, catalog, facts, entitlements, explainedAtMs };
  }

  private read(projectId: string, appUserId: string): Promise<{ customer: CustomerRow; facts: AccessFacts }> {
    return this.database.transaction(
      async (tx) => {
        const customer = await this.customers.find(projectId, appUserId, tx);
        if (!customer) throw ApiError.missing('customer', appUserId);
        const { id: customerId, subscriptions, purchases: oneTime } = customer;
        const given = {
          subscriptions: await this.repository.subscriptionsGiven(tx, projectId, customerId),
          oneTime: await this.repository.oneTimeGiven(tx, projectId, customerId),
        };
        const purchases = [...subscriptions, ...oneTime, ...given.subscriptions, ...given.oneTime];
        const changes = await this.repository.changes(
          tx,
          projectId,
          purchases.map(({ id }) => id),
        );
        const blockedAt = customer.blocked
          ? await this.repository.blockedAt(tx, projectId, customerId)
          : null;
        return { customer, facts: { customerId, blockedAt, subscriptions, oneTime, given, changes } };
      },
      { snapshot: true },
    );
  }
}
