import type { ResolvedEntitlement } from '../../../../libs/engine/index.js';
import { embeddedList } from '../../../platform/http/lists/lists.js';
import type {
  ActiveEntitlementDto,
  CustomerAliasDto,
  CustomerAttributeDto,
  CustomerDto,
  ListedCustomerDto,
} from './customer.dto.js';
import { liveAttributes } from '../customer-info/customer-attributes.js';
import type { ListedCustomer } from './customer-lists.repository.js';
import type { AliasRow, AttributeRow, CustomerRow, EnrollmentRow } from './customer-state.js';

export function presentActiveEntitlement({ id, expiresAtMs }: ResolvedEntitlement): ActiveEntitlementDto {
  return { object: 'customer.active_entitlement', entitlement_id: id, expires_at: expiresAtMs };
}

export function presentAttribute({ name, value, updatedAtMs }: AttributeRow): CustomerAttributeDto {
  return { object: 'customer.attribute', name, value, updated_at: updatedAtMs };
}

export function activeEntitlements(entitlements: ResolvedEntitlement[]): ResolvedEntitlement[] {
  return entitlements.filter(({ active }) => active).sort((a, b) => (a.id < b.id ? -1 : 1));
}

export function presentAlias({ appUserId, createdAtMs }: AliasRow): CustomerAliasDto {
  return { object: 'customer.alias', id: appUserId, created_at: createdAtMs };
}

export function presentListedCustomer(
  projectId: string,
  customer: Omit<ListedCustomer, 'createdAt'>,
): ListedCustomerDto {
  return {
    object: 'customer',
    id: customer.originalAppUserId,
    project_id: projectId,
    first_seen_at: customer.firstSeenAtMs,
    last_seen_at: customer.lastSeenAtMs,
    last_seen_app_version: customer.lastSeenAppVersion,
    last_seen_country: customer.lastSeenCountry,
    last_seen_platform: customer.lastSeenPlatform,
    last_seen_platform_version: customer.lastSeenPlatformVersion,
  };
}

/** The customer's current experiment, or else the latest one. */
function presentEnrollment(enrollments: readonly EnrollmentRow[]): CustomerDto['experiment'] {
  const present = enrollments.find(({ isLive, isSuperseded }) => isLive && !isSuperseded);
  const shown = present ?? enrollments.at(-1);
  if (!shown) return null;
  const { experimentId, experimentName, variant } = shown;
  return { object: 'experiment_enrollment', id: experimentId, name: experimentName, variant };
}

export function presentCustomer(
  projectId: string,
  customer: CustomerRow,
  entitlements: ResolvedEntitlement[],
  withAttributes: boolean,
): CustomerDto {
  const path = `/v2/projects/${projectId}/customers/${encodeURIComponent(customer.originalAppUserId)}`;
  const attributes = liveAttributes(customer.attributes);
  return {
    ...presentListedCustomer(projectId, customer),
    active_entitlements: embeddedList(
      `${path}/active_entitlements`,
      activeEntitlements(entitlements),
      presentActiveEntitlement,
      ({ id }) => [id],
    ),
    experiment: presentEnrollment(customer.enrollments),
    test_clock_id: customer.testClockId,
    ...(withAttributes
      ? { attributes: embeddedList(`${path}/attributes`, attributes, presentAttribute, ({ name }) => [name]) }
      : {}),
  };
}
