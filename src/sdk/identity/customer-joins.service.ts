import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import type { Device } from '../../customers/customers/last-seen/device.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ConcurrentChange } from '../../platform/database/database-errors.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { isAnonymousId } from '../../platform/http/bodies/app-user-id.js';
import { addAlias } from '../../purchases/recording/apply-purchases.js';
import { OwnershipService } from '../../purchases/ownership/ownership.service.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase.recorder.js';

export interface SignIn {
  projectId: string;
  appId: string | null;
  currentAppUserId: string;
  newAppUserId: string;
  /** Null for a backend's request, which does not update `last_seen`. */
  device: Device | null;
  requestId: string;
}

/** Contains the catalog, loaded in advance: a transaction must not wait for another connection. */
export type JoiningSignIn = SignIn & { catalog: Catalog };

@Injectable()
export class CustomerJoinsService {
  constructor(
    private readonly customers: CustomersService,
    private readonly ownership: OwnershipService,
    private readonly recorder: PurchaseRecorder,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns false if the id is in use. */
  create(tx: Transaction, { projectId, device }: SignIn, appUserId: string): Promise<boolean> {
    return this.customers.create(tx, projectId, appUserId, device, this.clock.nowMs());
  }

  async addAlias(tx: Transaction, signIn: JoiningSignIn, knownAs: string, appUserId: string): Promise<void> {
    const owner = await this.lockOne(tx, signIn.projectId, knownAs);
    const alias = { appUserId, isAnonymous: isAnonymousId(appUserId), nowMs: this.clock.nowMs() };
    await this.customers.addAlias(tx, signIn.projectId, owner.id, alias);
    await this.recordAlias(tx, signIn, appUserId);
  }

  /** Merges two locked customers. */
  async merge(
    tx: Transaction,
    signIn: JoiningSignIn,
    source: CustomerRow,
    target: CustomerRow,
    joinedAppUserId: string,
    rule: 'sign_in' | 'alias' | 'redemption',
  ): Promise<void> {
    const cause = { rule, isRestore: null, requestId: signIn.requestId };
    await this.ownership.merge(tx, signIn.projectId, source, target, cause, this.clock.nowMs());
    await this.recordAlias(tx, signIn, joinedAppUserId);
  }

  private async recordAlias(tx: Transaction, signIn: JoiningSignIn, joinedAppUserId: string): Promise<void> {
    const customer = await this.lockOne(tx, signIn.projectId, joinedAppUserId);
    const { catalog, device } = signIn;
    const nowMs = this.clock.nowMs();
    const scope = { catalog, nowMs, seenCustomerIds: device === null ? [] : [customer.id] };
    await this.recorder.record(tx, scope, (change) =>
      addAlias(change, signIn, customer, joinedAppUserId, nowMs),
    );
  }

  private async lockOne(tx: Transaction, projectId: string, appUserId: string): Promise<CustomerRow> {
    const [customer] = await this.customers.lock(tx, projectId, { appUserIds: [appUserId] });
    if (!customer) throw new ConcurrentChange('a customer vanished before it was locked');
    return customer;
  }
}
