import type { CustomerListEntity } from './customer-list.entity.js';
import type { SavedCustomerListDto } from './saved-customer-list.dto.js';

export function presentSavedCustomerList(list: CustomerListEntity): SavedCustomerListDto {
  return {
    object: 'customer_list',
    id: list.id,
    display_name: list.displayName,
    filters: list.filters,
    sort: list.sort,
    order: list.sortOrder,
    created_at: list.createdAt.getTime(),
    updated_at: list.updatedAt.getTime(),
  };
}
