import { Injectable } from '@nestjs/common';
import { decideIdentify } from '../../../libs/engine/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { isAnonymousId } from '../../platform/http/bodies/app-user-id.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService, hasAppUserId } from '../../customers/customers/identity/customers.service.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { shareTime } from '../../purchases/ownership/ownership.policy.js';
import { CustomerJoinsService, type JoiningSignIn, type SignIn } from './customer-joins.service.js';

/** An anonymous id of a signed-in customer belongs to them and must not merge them into another person's account. */
function isAnonymousOnly(appUserId: string, customer: CustomerRow | undefined): boolean {
  return isAnonymousId(appUserId) && (customer?.aliases.every(({ isAnonymous }) => isAnonymous) ?? true);
}

@Injectable()
export class IdentifyService {
  constructor(
    private readonly customers: CustomersService,
    private readonly joins: CustomerJoinsService,
    private readonly catalogs: CatalogService,
    private readonly database: DatabaseService,
  ) {}

  /** `created`: the new id was unknown. */
  async identify(signIn: SignIn): Promise<{ created: boolean }> {
    const prepared = await this.prepare(signIn);
    // Two devices may sign in with the same new id at once. The later one retries and finds it.
    return this.database.transaction((tx) => this.signIn(tx, prepared), { retryUniqueViolation: true });
  }

  /** Prepares `signIn` in the caller's transaction, which must retry unique violations. */
  async prepare(signIn: SignIn): Promise<JoiningSignIn> {
    return { ...signIn, catalog: await this.catalogs.get(signIn.projectId) };
  }

  /** Joins ids if at least one is anonymous: a device found its older id in a backup. Identified ids stay separate. */
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

  async signIn(tx: Transaction, signIn: JoiningSignIn): Promise<{ created: boolean }> {
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
        return { created: await this.joins.create(tx, signIn, newAppUserId) };
      case 'add_alias':
        if (!current) await this.joins.create(tx, signIn, currentAppUserId);
        await this.joins.addAlias(tx, signIn, currentAppUserId, newAppUserId);
        return { created: true };
      case 'merge':
        if (current && target && !shareTime(current, target)) return { created: false };
        if (current && target)
          await this.joins.merge(tx, signIn, current, target, currentAppUserId, 'sign_in');
        else await this.joins.addAlias(tx, signIn, newAppUserId, currentAppUserId);
        return { created: false };
    }
  }

  /** Merges into the older customer. */
  private async joinAnonymous(tx: Transaction, pair: JoiningSignIn): Promise<void> {
    const { currentAppUserId, newAppUserId } = pair;
    const { current, target } = await this.lockBoth(tx, pair);
    if (!current || !target) {
      const [known, other] = target ? [newAppUserId, currentAppUserId] : [currentAppUserId, newAppUserId];
      if (!current && !target) await this.joins.create(tx, pair, known);
      return this.joins.addAlias(tx, pair, known, other);
    }
    // Signed-in customers are people. A backup must never merge two of them.
    const identified = [current, target].filter((customer) => !isAnonymousOnly(newAppUserId, customer));
    if (current === target || identified.length === 2 || !shareTime(current, target)) return;
    const stays = identified[0] ?? (current.firstSeenAtMs < target.firstSeenAtMs ? current : target);
    if (stays === current) await this.joins.merge(tx, pair, target, current, newAppUserId, 'alias');
    else await this.joins.merge(tx, pair, current, target, currentAppUserId, 'alias');
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
}
