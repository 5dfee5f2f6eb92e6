import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import type { NamedCustomer } from '../../customers/customers/identity/customer-lists.repository.js';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { type Place, type PlaceKind, startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { CustomerFilters, CustomerSort } from './customer-filters.query.js';
import { selectionOf } from './customer-selection.policy.js';
import {
  type CustomerOrder,
  type ListedRow,
  ListedCustomersRepository,
  type ListScope,
  MAX_COUNTED,
} from './listed-customers.repository.js';
import { ListedCustomersService } from './listed-customers.service.js';

export interface ListedItem {
  row: ListedRow;
  customer: NamedCustomer;
}

export interface CustomerListItem extends ListedItem {
  /** Position in the list. */
  place: Place;
}

export interface CustomerCount {
  /** At most `MAX_COUNTED`. */
  count: number;
  isExact: boolean;
}

/** A list of the project's customers. */
export interface CustomerListRequest extends CustomerFilters {
  sort: CustomerSort;
  order: 'asc' | 'desc';
}

/** At most this many customers are found by each kind of id that starts with a text. */
const MAX_FOUND = 1_000;

/** Customers per statement of an export. */
const BATCH = 1_000;

/** Batches of changed customers that an export waits for. */
const MAX_CHANGE_BATCHES = 50;

/** Lists of customers with filters. The first page includes the changes just made, unless they are very many. */
@Injectable()
export class CustomerListService {
  constructor(
    private readonly repository: ListedCustomersRepository,
    private readonly listed: ListedCustomersService,
    private readonly customers: CustomersService,
    private readonly lookups: CustomersQueryService,
    private readonly catalogs: CatalogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Up to `limit + 1` customers. @throws ApiError 400 for an unknown cursor, 404 for an unknown product */
  async page(
    projectId: string,
    request: CustomerListRequest,
    page: PageRequest,
  ): Promise<CustomerListItem[]> {
    const order: CustomerOrder = { sort: request.sort, direction: request.order === 'asc' ? 'ASC' : 'DESC' };
    const { environment } = request;
    const kinds: PlaceKind[] = [request.sort === 'spent' ? 'micros' : 'time'];
    const after = await startOf(page.after, kinds, async (known) => {
      const id = await this.customers.idOf(projectId, known);
      return id === null ? null : this.repository.placeOf(projectId, id, order, environment);
    });
    if (after === null) await this.listed.listChanged(projectId);
    return (await this.read(projectId, request, order, { limit: page.limit + 1, after })).items;
  }

  /** @throws ApiError 404 for an unknown product or entitlement */
  async count(projectId: string, filters: CustomerFilters): Promise<CustomerCount> {
    await this.listed.listChanged(projectId);
    const count = await this.repository.count(projectId, await this.scopeOf(projectId, filters));
    return { count: Math.min(count, MAX_COUNTED), isExact: count <= MAX_COUNTED };
  }

  /** False while customers from before an upgrade are still being added. */
  isComplete(projectId: string): Promise<boolean> {
    return this.repository.isComplete(projectId);
  }

  /** All customers of a list in its order, in batches. @throws ApiError 404 for an unknown product or entitlement */
  async *batches(projectId: string, request: CustomerListRequest): AsyncGenerator<CustomerListItem[]> {
    const order: CustomerOrder = { sort: request.sort, direction: request.order === 'asc' ? 'ASC' : 'DESC' };
    await this.listed.listChanged(projectId);
    let after: Place | null = null;
    do {
      const { items, end } = await this.read(projectId, request, order, { limit: BATCH, after });
      yield items;
      after = end;
    } while (after !== null);
  }

  /** The conditions of a list for an export, after the changes just made are included. @throws as `count` */
  async open(projectId: string, filters: CustomerFilters): Promise<ListScope> {
    for (let batch = 0; batch < MAX_CHANGE_BATCHES && (await this.listed.listChanged(projectId)); batch++);
    return this.scopeOf(projectId, filters);
  }

  /** The number of customers, at most `limit`. */
  countAll(projectId: string, scope: ListScope, limit: number): Promise<number> {
    return this.repository.count(projectId, scope, limit);
  }

  /** Customers of a list among the next `size` of the project behind `after`, by id. `end` null: none are left. */
  async window(
    projectId: string,
    scope: ListScope,
    window: { after: string; size: number },
  ): Promise<{ customers: ListedItem[]; end: string | null }> {
    const { rows, end } = await this.repository.window(projectId, scope, window);
    return { customers: await this.named(projectId, rows), end };
  }

  /** `end`: the place of the last row, of a customer who may have been deleted since; null if it is the last of all. */
  private async read(
    projectId: string,
    filters: CustomerFilters,
    order: CustomerOrder,
    page: { limit: number; after: Place | null },
  ): Promise<{ items: CustomerListItem[]; end: Place | null }> {
    const scope = await this.scopeOf(projectId, filters);
    const rows = await this.repository.page(projectId, scope, order, page);
    const placeOf = (row: ListedRow): Place => {
      const sorted = { last_seen: row.lastSeenAt, first_seen: row.firstSeenAt, spent: row.spentUsdMicros };
      return [sorted[order.sort], row.customerId];
    };
    const items = (await this.named(projectId, rows)).map((item) => ({ ...item, place: placeOf(item.row) }));
    const last = rows.at(-1);
    return { items, end: last && rows.length === page.limit ? placeOf(last) : null };
  }

  /** Leaves out customers who have been deleted since. */
  private async named(projectId: string, rows: readonly ListedRow[]): Promise<ListedItem[]> {
    const ids = rows.map(({ customerId }) => customerId);
    const named = ids.length === 0 ? [] : await this.lookups.named(projectId, ids);
    const byId = new Map(named.map((customer) => [customer.customerId, customer]));
    return rows.flatMap((row) => {
      const customer = byId.get(row.customerId);
      return customer ? [{ row, customer }] : [];
    });
  }

  private async scopeOf(projectId: string, filters: CustomerFilters): Promise<ListScope> {
    const selection = selectionOf(filters, await this.catalogs.getCurrent(projectId));
    const { search, attribute_name: name, attribute_value: value } = filters;
    const found = search === null ? null : await this.lookups.idsBeginningWith(projectId, search, MAX_FOUND);
    const attribute = name === null || value === null ? null : { name, value };
    const having =
      attribute &&
      (await this.lookups.idsWithAttribute(projectId, attribute.name, attribute.value, MAX_COUNTED + 1));
    const isMany = having !== null && having.length > MAX_COUNTED;
    return {
      selection,
      customerIds: isMany || having === null ? found : inBoth(having, found),
      attribute: isMany ? attribute : null,
      now: new Date(this.clock.nowMs()),
    };
  }
}

function inBoth(ids: readonly string[], others: readonly string[] | null): readonly string[] {
  if (others === null) return ids;
  const known = new Set(others);
  return ids.filter((id) => known.has(id));
}
