import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  applySubscription,
  grantObservation,
  grantProductId,
  isDuplicateGrant,
  newSubscription,
} from '../../../libs/engine/index.js';
import { newId } from '../../../libs/kernel/index.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import type { Catalog, CatalogEntitlement } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { type CustomerRow, timeOf } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { EntitlementsService } from '../../catalog/entitlements/entitlements.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import {
  type OwnedSubscription,
  ownedSubscription,
} from '../../customers/customers/customer-info/customer-purchases.js';
import { PurchaseRecorder } from '../recording/purchase.recorder.js';
import { revokeGrant } from '../recording/apply-purchases.js';
import type { GrantTerm } from './grant.body.js';

export interface GrantRequest {
  appUserId: string;
  /** Id or lookup key. */
  entitlement: string;
  /** Returns the term at the customer's current time. @throws ApiError 400 if its end is in the past */
  term: (nowMs: number) => GrantTerm;
  createsCustomer: boolean;
}

export interface GrantResult {
  customer: CustomerRow;
  catalog: Catalog;
}

/** Entitlements that backends grant for free. Each grant is a subscription in the store `promotional`. */
@Injectable()
export class GrantsService {
  constructor(
    private readonly customers: CustomersService,
    private readonly recorder: PurchaseRecorder,
    private readonly catalogs: CatalogService,
    private readonly entitlements: EntitlementsService,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Grants an entitlement, unless the customer already has a grant with about the same end.
   * @throws ApiError 404 for an unknown entitlement or customer, 422 for an archived entitlement
   */
  async grant(write: ProjectWrite, request: GrantRequest): Promise<GrantResult> {
    const { projectId } = write;
    const catalog = await this.catalogs.getCurrent(projectId);
    const entitlement = this.entitlementOf(catalog, request.entitlement);
    if (!entitlement.active) {
      throw new ApiError('archived_reference', 'An archived entitlement cannot be granted.', {
        param: 'entitlement_id',
        referencedObjectIds: [entitlement.id],
      });
    }
    return this.writes.run(
      write,
      async (tx) => {
        if (!(await this.entitlements.hold(tx, projectId, entitlement.id))) {
          throw ApiError.missing('entitlement', request.entitlement, 'entitlement_id');
        }
        const realMs = tx.nowMs();
        const customer = await this.lock(tx, projectId, request, realMs);
        const nowMs = timeOf(customer, realMs);
        const term = request.term(nowMs);
        const { expiresAtMs } = term;
        const running = this.runningGrants(customer, entitlement, nowMs);
        const isDuplicate = isDuplicateGrant(
          running.map(({ state }) => ({ endMs: state.accessEndsAtMs })),
          expiresAtMs,
        );
        if (!isDuplicate) await this.add(tx, catalog, customer, entitlement, { ...request, term }, realMs);
        await tx.audit({
          action: 'entitlement_granted',
          target: 'customer',
          targetId: customer.originalAppUserId,
          data: { entitlement_id: entitlement.id, expires_at: expiresAtMs, duplicate: isDuplicate },
        });
        return { customer, catalog };
      },
      { retryUniqueViolation: true },
    );
  }

  /** Ends all active grants of an entitlement now. @throws ApiError 404 for an unknown entitlement or customer */
  async revoke(write: ProjectWrite, appUserId: string, entitlementName: string): Promise<GrantResult> {
    const { projectId } = write;
    const catalog = await this.catalogs.getCurrent(projectId);
    const entitlement = this.entitlementOf(catalog, entitlementName);
    return this.writes.run(write, async (tx) => {
      const realMs = tx.nowMs();
      const customer = await this.customers.lockExisting(tx, projectId, appUserId);
      const nowMs = timeOf(customer, realMs);
      const running = this.runningGrants(customer, entitlement, nowMs);
      await this.recorder.record(tx, { catalog, nowMs: realMs }, (change) => {
        const owner = { customer, appId: null, seenAs: customer.originalAppUserId };
        for (const owned of running) change.addSubscription(revokeGrant(owned, nowMs), owner);
      });
      await tx.audit({
        action: 'granted_entitlement_revoked',
        target: 'customer',
        targetId: customer.originalAppUserId,
        data: { entitlement_id: entitlement.id, revoked: running.length },
      });
      return { customer, catalog };
    });
  }

  private entitlementOf(catalog: Catalog, name: string): CatalogEntitlement {
    const entitlement = catalog.findEntitlement(name);
    if (!entitlement) throw ApiError.missing('entitlement', name, 'entitlement_id');
    return entitlement;
  }

  private async lock(
    tx: Transaction,
    projectId: string,
    { appUserId, createsCustomer }: GrantRequest,
    nowMs: number,
  ): Promise<CustomerRow> {
    if (!createsCustomer) return this.customers.lockExisting(tx, projectId, appUserId);
    const newcomer = { appUserId, device: null };
    const wanted = { appUserIds: [appUserId] };
    return (await this.customers.lockOrCreate(tx, projectId, newcomer, wanted, nowMs)).customer;
  }

  private runningGrants(
    customer: CustomerRow,
    entitlement: CatalogEntitlement,
    nowMs: number,
  ): OwnedSubscription[] {
    return customer.subscriptions
      .filter(({ grantedEntitlementId }) => grantedEntitlementId === entitlement.id)
      .map((row) => ownedSubscription(row, nowMs))
      .filter(({ state }) => state.givesAccess);
  }

  private async add(
    tx: Transaction,
    catalog: Catalog,
    customer: CustomerRow,
    entitlement: CatalogEntitlement,
    { appUserId, term }: { appUserId: string; term: GrantTerm },
    realMs: number,
  ): Promise<void> {
    const nowMs = timeOf(customer, realMs);
    const id = newId('subscription', realMs);
    const identity = { id, store: 'promotional', environment: 'production', storeKey: id } as const;
    const observation = grantObservation({
      key: id,
      storeProductId: grantProductId(entitlement.lookupKey, term.duration),
      transactionId: randomBytes(16).toString('hex'),
      grantedAtMs: nowMs,
      endMs: term.expiresAtMs,
    });
    const granted = applySubscription(newSubscription(identity), observation, nowMs);
    const owner = { customer, appId: null, seenAs: appUserId, grantedEntitlementId: entitlement.id };
    await this.recorder.record(tx, { catalog, nowMs: realMs }, (change) =>
      change.addSubscription(granted, owner),
    );
  }
}
