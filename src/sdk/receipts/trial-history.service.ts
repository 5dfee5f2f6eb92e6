import { Injectable } from '@nestjs/common';
import { everSold, type SubscriptionFacts } from '../../../libs/engine/index.js';
import type { PostedReceipt } from '../../../libs/stores/index.js';
import type { CatalogOfApp } from '../../catalog/snapshot/catalog.service.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';

/** The Test Store offers a trial depending on the customer's earlier products. */
@Injectable()
export class TrialHistoryService {
  constructor(private readonly customers: CustomersService) {}

  /** Store identifiers. Queried only if the receipt contains a product with a trial. */
  async before(
    receipt: PostedReceipt,
    { catalog, app }: CatalogOfApp,
    appUserId: string,
  ): Promise<Set<string>> {
    const hasTrial = receipt.productIds.some((id) => catalog.productOf(app.id, id)?.trialDuration);
    if (!hasTrial) return new Set();
    const customer = await this.customers.find(catalog.projectId, appUserId);
    const others = customer?.subscriptions.filter(({ storeKey }) => storeKey !== receipt.fetchToken) ?? [];
    return new Set(others.flatMap(({ facts }) => productsOf(facts as SubscriptionFacts)));
  }
}

function productsOf(facts: SubscriptionFacts): string[] {
  return everSold({ facts }).map(({ storeProductId }) => storeProductId);
}
