import { Injectable } from '@nestjs/common';
import type { ResolvedEntitlement } from '../../../../libs/engine/index.js';
import type { CustomerRow } from '../../../customers/customers/identity/customer-state.js';
import { CustomersQueryService } from '../../../customers/customers/identity/customers-query.service.js';
import { CustomersService } from '../../../customers/customers/identity/customers.service.js';
import { type Balance, BalancesService } from '../../../purchases/balances/balances.service.js';
import { AuthIdentitiesService } from './auth-identities.service.js';
import type { AuthIdentity } from './auth-identity.entity.js';
import type { IdentityKey } from './auth-identities.repository.js';

/** An identity with its customer's current data. */
export interface IdentityDetails {
  identity: AuthIdentity;
  customer: CustomerRow | null;
  entitlements: ResolvedEntitlement[];
  balances: Balance[];
}

@Injectable()
export class IdentityDetailsService {
  constructor(
    private readonly identities: AuthIdentitiesService,
    private readonly customers: CustomersService,
    private readonly customersQuery: CustomersQueryService,
    private readonly balances: BalancesService,
  ) {}

  /** @throws ApiError 404 */
  async get(projectId: string, key: IdentityKey): Promise<IdentityDetails> {
    const identity = await this.identities.get(projectId, key);
    const customer = await this.customers.find(projectId, identity.appUserId);
    if (!customer) return { identity, customer, entitlements: [], balances: [] };
    const [entitlements, balances] = await Promise.all([
      this.customersQuery.entitlementsOf(projectId, customer),
      this.balances.all(projectId, identity.appUserId),
    ]);
    return { identity, customer, entitlements, balances };
  }
}
