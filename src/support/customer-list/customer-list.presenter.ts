import { microsToMajor } from '../../../libs/money/index.js';
import { presentListedCustomer } from '../../customers/customers/identity/customer.presenter.js';
import { presentCountry } from '../summaries/customer-country.js';
import type { CustomerStatus } from './customer-filters.query.js';
import type { FilteredCustomerDto } from './customer-list.dto.js';
import type { ListedItem } from './customer-list.service.js';
import type { ListedRow } from './listed-customers.repository.js';

const STORE = 'store:';

export function statusesOf(row: ListedRow): CustomerStatus[] {
  const tags = new Set(row.tags);
  const holds: Record<CustomerStatus, boolean> = {
    active: row.hasAccess,
    trial: row.inTrial,
    in_grace_period: row.inGracePeriod,
    billing_issue: tags.has('billing_issue'),
    expired: tags.has('subscribed') && !row.hasAccess,
    refunded: row.refunds > 0,
    never_bought: tags.has('never_bought'),
  };
  return (Object.keys(holds) as CustomerStatus[]).filter((status) => holds[status]);
}

export function presentFilteredCustomer(
  projectId: string,
  { row, customer }: ListedItem,
): FilteredCustomerDto {
  return {
    ...presentListedCustomer(projectId, customer),
    email: customer.email,
    display_name: customer.displayName,
    ...presentCountry(customer.lastSeenCountry, row.country),
    statuses: statusesOf(row),
    stores: row.tags.filter((tag) => tag.startsWith(STORE)).map((tag) => tag.slice(STORE.length)),
    spent_in_usd: microsToMajor(row.spentUsdMicros),
  };
}
