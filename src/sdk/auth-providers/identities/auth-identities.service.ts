import { Inject, Injectable } from '@nestjs/common';
import type { ResolvedEntitlement } from '../../../../libs/engine/index.js';
import type { Clock } from '../../../../libs/kernel/index.js';
import type { CustomerRow } from '../../../customers/customers/identity/customer-state.js';
import { CustomersQueryService } from '../../../customers/customers/identity/customers-query.service.js';
import { CustomersService } from '../../../customers/customers/identity/customers.service.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../../platform/audit/project-writes.service.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { type Place, startOf } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { type Balance, BalancesService } from '../../../purchases/balances/balances.service.js';
import { CustomerSessionsService } from '../../customer-sessions/customer-sessions.service.js';
import {
  AuthIdentitiesRepository,
  type IdentityFilter,
  type IdentityKey,
} from './auth-identities.repository.js';
import type { AuthIdentity } from './auth-identity.entity.js';
import { identityPlaceOf, placeOfIdentity } from './identity-place.js';

/** An identity, with the app user id that its provider's current settings map it to. */
export type MappedIdentity = IdentityKey & { mappedAppUserId: string };

/** An identity with its customer's current data. */
export interface IdentityDetails {
  identity: AuthIdentity;
  customer: CustomerRow | null;
  entitlements: ResolvedEntitlement[];
  balances: Balance[];
}

@Injectable()
export class AuthIdentitiesService {
  constructor(
    private readonly repository: AuthIdentitiesRepository,
    private readonly sessions: CustomerSessionsService,
    private readonly customers: CustomersService,
    private readonly customersQuery: CustomersQueryService,
    private readonly balances: BalancesService,
    private readonly writes: ProjectWritesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Records a sign-in. A new identity keeps the mapped app user id permanently; if two first sign-ins coincide, both
   * get the id of the first.
   * @throws ApiError 403 (7224) if the provider was deleted or turned off in the meantime
   */
  async recordSignIn(
    tx: Transaction,
    projectId: string,
    { mappedAppUserId, ...key }: MappedIdentity,
  ): Promise<{ appUserId: string; isNew: boolean }> {
    const now = new Date(this.clock.nowMs());
    const identity = await this.repository.recordSignIn(tx, projectId, key, mappedAppUserId, now);
    if (identity) return identity;
    throw new ApiError('forbidden', 'The provider was deleted or turned off.', { code: 7224 });
  }

  find(projectId: string, key: IdentityKey): Promise<AuthIdentity | null> {
    return this.repository.find(projectId, key);
  }

  /** @throws ApiError 404 */
  async getDetails(projectId: string, key: IdentityKey): Promise<IdentityDetails> {
    const identity = await this.find(projectId, key);
    if (!identity) throw ApiError.missing('auth identity', key.subject);
    const customer = await this.customers.find(projectId, identity.appUserId);
    if (!customer) return { identity, customer, entitlements: [], balances: [] };
    const [entitlements, balances] = await Promise.all([
      this.customersQuery.entitlementsOf(projectId, customer),
      this.balances.all(projectId, identity.appUserId),
    ]);
    return { identity, customer, entitlements, balances };
  }

  /** Up to `limit + 1`, the latest sign-in first. @throws ApiError 400 if `page.after` is not in the list */
  async page(projectId: string, filter: IdentityFilter, page: PageRequest): Promise<AuthIdentity[]> {
    const place = await startOf(page.after, ['time'], (subject) => this.placeOf(projectId, filter, subject));
    return this.repository.page(projectId, filter, page, place && identityPlaceOf(place));
  }

  /** Ends its sessions. The customer keeps the app user id. Returns the time (epoch ms). @throws ApiError 404 */
  delete(write: ProjectWrite, key: IdentityKey): Promise<number> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      if (!(await this.repository.delete(tx, projectId, key))) {
        throw ApiError.missing('auth identity', key.subject);
      }
      await this.sessions.endOfIdentity(tx, projectId, key.providerId, key.subject);
      await tx.audit({
        action: 'deleted',
        target: 'auth_identity',
        targetId: key.subject,
        data: { provider_id: key.providerId },
      });
      return tx.nowMs();
    });
  }

  /** Deletes the provider's identities and sessions. Returns the number of identities. */
  async deleteOfProvider(tx: Transaction, projectId: string, providerId: string): Promise<number> {
    await this.sessions.endOfProvider(tx, projectId, providerId);
    return this.repository.deleteOfProvider(tx, projectId, providerId);
  }

  /** The position of the first identity in the list with this subject. */
  private async placeOf(projectId: string, filter: IdentityFilter, subject: string): Promise<Place | null> {
    if (filter.subject !== null && filter.subject !== subject) return null;
    const first = { limit: 1, after: null };
    const [found] = await this.repository.page(projectId, { ...filter, subject }, first, null);
    return found ? placeOfIdentity(found) : null;
  }
}
