import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { timeOf } from '../../customers/customers/identity/customer-state.js';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import { type Place, startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import {
  type OwnedSubscription,
  type OwnedOneTime,
  ownedSubscription,
  ownedOneTime,
} from '../../customers/customers/customer-info/customer-purchases.js';
import type { PurchaseView } from './purchase.presenter.js';
import { type PurchaseKind, PurchasesRepository } from './purchases.repository.js';

export interface PurchaseListRequest {
  projectId: string;
  /** Any app user id of the customer. */
  appUserId: string;
  environment: 'production' | 'sandbox' | null;
  page: PageRequest;
}

export interface PurchasePage<Owned> {
  /** `at`: the time that the list is sorted by. */
  rows: (Owned & { at: Date })[];
  view: PurchaseView;
}

@Injectable()
export class PurchasesQueryService {
  constructor(
    private readonly customers: CustomersQueryService,
    private readonly repository: PurchasesRepository,
    private readonly catalogs: CatalogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 404 for an unknown customer, 400 for a cursor of another list */
  async subscriptions(request: PurchaseListRequest): Promise<PurchasePage<OwnedSubscription>> {
    const { projectId, environment, page } = request;
    const { customerId, testClockMs, after, view } = await this.viewOf(request, 'subscription');
    const rows = await this.repository.subscriptionsOf(projectId, customerId, environment, page, after);
    const nowMs = timeOf({ testClockMs }, this.clock.nowMs());
    const owned = rows.map(({ at, ...row }) => ({ ...ownedSubscription(row, nowMs), at }));
    return {
      rows: owned,
      view: await this.withMoney(
        view,
        'subscription',
        rows.map(({ id }) => id),
      ),
    };
  }

  /** @throws ApiError 404 for an unknown customer, 400 for a cursor of another list */
  async oneTime(request: PurchaseListRequest): Promise<PurchasePage<OwnedOneTime>> {
    const { projectId, environment, page } = request;
    const { customerId, after, view } = await this.viewOf(request, 'one_time');
    const rows = await this.repository.oneTimeOf(projectId, customerId, environment, page, after);
    const owned = rows.map(({ at, ...row }) => ({ ...ownedOneTime(row, view.catalog), at }));
    return {
      rows: owned,
      view: await this.withMoney(
        view,
        'one_time',
        rows.map(({ id }) => id),
      ),
    };
  }

  private async viewOf(
    { projectId, appUserId, page }: PurchaseListRequest,
    kind: PurchaseKind,
  ): Promise<{
    customerId: string;
    testClockMs: number | null;
    after: Place | null;
    view: { catalog: Catalog; customerAppUserId: string };
  }> {
    const customer = await this.customers.get(projectId, appUserId);
    const after = await startOf(page.after, ['time'], (id) =>
      this.repository.placeOf(projectId, customer.id, kind, id),
    );
    const catalog = await this.catalogs.get(projectId);
    const { id: customerId, testClockMs, originalAppUserId: customerAppUserId } = customer;
    return { customerId, testClockMs, after, view: { catalog, customerAppUserId } };
  }

  private async withMoney(
    view: { catalog: Catalog; customerAppUserId: string },
    kind: PurchaseKind,
    ids: string[],
  ): Promise<PurchaseView> {
    return { ...view, usd: await this.repository.usdTotals(view.catalog.projectId, kind, ids) };
  }
}
