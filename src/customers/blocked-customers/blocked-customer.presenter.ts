import type { BlockedCustomerDto } from './blocked-customer.dto.js';
import type { BlockedCustomerRow } from './blocked-customers.repository.js';

export function presentBlockedCustomer(row: BlockedCustomerRow): BlockedCustomerDto {
  const { appUserId, note, blockedAt, byType, byId, byEmail, customerExists } = row;
  return {
    object: 'blocked_customer',
    id: appUserId,
    app_user_id: appUserId,
    note,
    blocked_at: blockedAt.getTime(),
    blocked_by: { type: byType, id: byId, email: byEmail },
    customer_exists: customerExists,
  };
}
