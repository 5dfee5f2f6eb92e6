import { Inject, Injectable } from '@nestjs/common';
import { decideIdentify } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { isAnonymousId } from '../../platform/http/app-user-id.js';
import type { CustomerRow } from '../../customers/customers/customer-state.js';
import { CustomersService, hasAppUserId } from '../../customers/customers/customers.service.js';
import type { Device } from '../../customers/customers/last-seen.recorder.js';
import { ConcurrentChange } from '../../platform/database/database-errors.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { addAlias } from '../../purchases/recording/apply-purchases.js';
import { shareTime } from '../../purchases/recording/ownership.policy.js';
import { OwnershipService } from '../../purchases/recording/ownership.service.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase-recorder.js';

export interface SignIn {
  projectId: string;
  appId: string | null;
  currentAppUserId: string;
  newAppUserId: string;
  /** Null: a backend's request, and nobody was seen. */
  device: Device | null;
  requestId: string;
}

/** With the catalog read beforehand: a transaction must not wait for another connection. */
type Running = SignIn & { catalog: Catalog };

/**
 * Nobody has signed in behind this id. An anonymous id of somebody who has is theirs: it must not drag them into
 * another person's account.
 */
function isAnonymousOnly(appUserId: string, customer: CustomerRow | undefined): boolean {
  return isAnonymousId(appUserId) && (customer?.aliases.every(({ isAnonymous }) => isAnonymous) ?? true);
}

/** logIn: what becomes of the two customers behind the old and the new app user id. */
@Injectable()
export class IdentifyService {
  constructor(
    private readonly customers: CustomersService,
    private readonly ownership: OwnershipService,
    private readonly recorder: PurchaseRecorder,
    private readonly catalogs: CatalogService,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** True when the new id was not known before. */
  async identify(signIn: SignIn): Promise<{ created: boolean }> {
    const catalog = await this.catalogs.get(signIn.projectId);
    // Two devices may sign in with the same new id at once: the loser of the race starts again and finds it.
    return this.database.transaction((tx) => this.signIn(tx, { ...signIn, catalog }), {
      retryUniqueViolation: true,
    });
  }

  /**
   * Makes two ids one customer, when at least one of them is anonymous: a device found an older id of its own in
   * a backup. Two identified ids stay apart.
   */
  async alias(pair: SignIn): Promise<void> {
    const { currentAppUserId, newAppUserId } = pair;
    const anonymous = [currentAppUserId, newAppUserId].filter(isAnonymousId);
    if (anonymous.length === 0 || currentAppUserId === newAppUserId) return;
    if (anonymous.length === 2) {
      const catalog = await this.catalogs.get(pair.projectId);
      await this.database.transaction((tx) => this.joinAnonymous(tx, { ...pair, catalog }), {
        retryUniqueViolation: true,
      });
      return;
    }
    const swapped = { ...pair, currentAppUserId: newAppUserId, newAppUserId: currentAppUserId };
    await this.identify(isAnonymousId(currentAppUserId) ? pair : swapped);
  }

  private async signIn(tx: Transaction, signIn: Running): Promise<{ created: boolean }> {
    const { currentAppUserId, newAppUserId } = signIn;
    const { current, target } = await this.lockBoth(tx, signIn);
    const decision = decideIdentify({
      sameCustomer:
        currentAppUserId === newAppUserId
          ? target !== undefined
          : current !== undefined && current === target,
      currentIsAnonymous: isAnonymousOnly(currentAppUserId, current) && currentAppUserId !== newAppUserId,
      newIdExists: target !== undefined,
      newCustomerHasAnonymousAlias: target?.aliases.some(({ isAnonymous }) => isAnonymous) ?? false,
    });
    switch (decision) {
      case 'nothing':
      case 'switch':
        return { created: false };
      case 'create':
        return { created: await this.create(tx, signIn, newAppUserId) };
      case 'add_alias':
        if (!current) await this.create(tx, signIn, currentAppUserId);
        await this.addAlias(tx, signIn, currentAppUserId, newAppUserId);
        return { created: true };
      case 'merge':
        if (current && target && !shareTime(current, target)) return { created: false };
        if (current && target) await this.merge(tx, signIn, current, target, currentAppUserId, 'sign_in');
        else await this.addAlias(tx, signIn, newAppUserId, currentAppUserId);
        return { created: false };
    }
  }

  /** The customer who was there first stays. */
  private async joinAnonymous(tx: Transaction, pair: Running): Promise<void> {
    const { currentAppUserId, newAppUserId } = pair;
    const { current, target } = await this.lockBoth(tx, pair);
    if (!current || !target) {
      const [known, other] = target ? [newAppUserId, currentAppUserId] : [currentAppUserId, newAppUserId];
      if (!current && !target) await this.create(tx, pair, known);
      return this.addAlias(tx, pair, known, other);
    }
    // What has been signed in with is somebody's: two people never become one by a backup.
    const identified = [current, target].filter((customer) => !isAnonymousOnly(newAppUserId, customer));
    if (current === target || identified.length === 2 || !shareTime(current, target)) return;
    const stays = identified[0] ?? (current.firstSeenAtMs < target.firstSeenAtMs ? current : target);
    if (stays === current) await this.merge(tx, pair, target, current, newAppUserId, 'alias');
    else await this.merge(tx, pair, current, target, currentAppUserId, 'alias');
  }

  private create(tx: Transaction, { projectId, device }: SignIn, appUserId: string): Promise<boolean> {
    return this.customers.create(tx, projectId, appUserId, device, this.clock.nowMs());
  }

  private async addAlias(
    tx: Transaction,
    signIn: Running,
    knownAs: string,
    appUserId: string,
  ): Promise<void> {
    const owner = await this.lockOne(tx, signIn.projectId, knownAs);
    const alias = { appUserId, isAnonymous: isAnonymousId(appUserId), nowMs: this.clock.nowMs() };
    await this.customers.addAlias(tx, signIn.projectId, owner.id, alias);
    await this.recordAlias(tx, signIn, appUserId);
  }

  private async merge(
    tx: Transaction,
    signIn: Running,
    source: CustomerRow,
    target: CustomerRow,
    joinedAppUserId: string,
    rule: 'sign_in' | 'alias',
  ): Promise<void> {
    const cause = { rule, isRestore: null, requestId: signIn.requestId };
    await this.ownership.merge(tx, signIn.projectId, source, target, cause, this.clock.nowMs());
    await this.recordAlias(tx, signIn, joinedAppUserId);
  }

  private async recordAlias(tx: Transaction, signIn: Running, joinedAppUserId: string): Promise<void> {
    const customer = await this.lockOne(tx, signIn.projectId, joinedAppUserId);
    const { catalog, device } = signIn;
    const nowMs = this.clock.nowMs();
    const scope = { catalog, nowMs, seenCustomerIds: device === null ? [] : [customer.id] };
    await this.recorder.record(tx, scope, (change) =>
      addAlias(change, signIn, customer, joinedAppUserId, nowMs),
    );
  }

  private async lockBoth(
    tx: Transaction,
    { projectId, currentAppUserId, newAppUserId }: SignIn,
  ): Promise<{ current: CustomerRow | undefined; target: CustomerRow | undefined }> {
    const wanted = { appUserIds: [currentAppUserId, newAppUserId] };
    const customers = await this.customers.lock(tx, projectId, wanted);
    return {
      current: customers.find((customer) => hasAppUserId(customer, currentAppUserId)),
      target: customers.find((customer) => hasAppUserId(customer, newAppUserId)),
    };
  }

  private async lockOne(tx: Transaction, projectId: string, appUserId: string): Promise<CustomerRow> {
    const [customer] = await this.customers.lock(tx, projectId, { appUserIds: [appUserId] });
    if (!customer) throw new ConcurrentChange('a customer vanished before it was locked');
    return customer;
  }
}
