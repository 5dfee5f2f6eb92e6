import { Inject, Injectable } from '@nestjs/common';
import { decideIdentify } from '../../libs/engine/index.js';
import type { Clock } from '../../libs/kernel/index.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { CLOCK } from '../config/clock.token.js';
import { isAnonymousId } from '../customers/app-user-id.js';
import type { CustomerRow } from '../customers/customer-state.js';
import { CustomersService } from '../customers/customers.service.js';
import type { Device } from '../customers/last-seen.recorder.js';
import { Database, type Transaction } from '../database/database.js';
import { aliasEventBody } from '../events/event-body.js';
import { PurchaseRecorder } from '../purchases/purchase-recorder.js';

export interface SignIn {
  projectId: string;
  appId: string | null;
  currentAppUserId: string;
  newAppUserId: string;
  device: Device;
  requestId: string;
}

function goesBy(customer: CustomerRow, appUserId: string): boolean {
  return customer.aliases.some((alias) => alias.appUserId === appUserId);
}

/** logIn: what becomes of the two customers behind the old and the new app user id. */
@Injectable()
export class IdentifyService {
  constructor(
    @Inject(CustomersService) private readonly customers: CustomersService,
    @Inject(PurchaseRecorder) private readonly recorder: PurchaseRecorder,
    @Inject(CatalogService) private readonly catalogs: CatalogService,
    @Inject(Database) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** True when the new id was not known before. */
  identify(signIn: SignIn): Promise<{ created: boolean }> {
    // Two devices may sign in with the same new id at once: the loser of the race starts again and finds it.
    return this.database.transaction((tx) => this.run(tx, signIn), { retryUniqueViolation: true });
  }

  private async run(tx: Transaction, signIn: SignIn): Promise<{ created: boolean }> {
    const { projectId, currentAppUserId, newAppUserId } = signIn;
    const customers = await this.customers.lock(tx, projectId, {
      appUserIds: [currentAppUserId, newAppUserId],
    });
    const current = customers.find((customer) => goesBy(customer, currentAppUserId));
    const target = customers.find((customer) => goesBy(customer, newAppUserId));
    const decision = decideIdentify({
      sameCustomer:
        currentAppUserId === newAppUserId
          ? target !== undefined
          : current !== undefined && current === target,
      currentIsAnonymous: isAnonymousId(currentAppUserId) && currentAppUserId !== newAppUserId,
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
        await this.addAlias(tx, signIn, current, newAppUserId);
        return { created: true };
      case 'merge':
        await this.joinExisting(tx, signIn, current, newAppUserId);
        return { created: false };
    }
  }

  private async create(tx: Transaction, { projectId, device }: SignIn, appUserId: string): Promise<boolean> {
    return this.customers.create(tx, projectId, appUserId, device, this.clock.nowMs());
  }

  /** The device may never have talked to the server under its anonymous id: then that customer begins here. */
  private async addAlias(
    tx: Transaction,
    signIn: SignIn,
    current: CustomerRow | undefined,
    newAppUserId: string,
  ): Promise<void> {
    const { projectId, currentAppUserId } = signIn;
    if (!current) await this.create(tx, signIn, currentAppUserId);
    const owner = await this.lockOne(tx, projectId, currentAppUserId);
    const alias = {
      appUserId: newAppUserId,
      isAnonymous: isAnonymousId(newAppUserId),
      nowMs: this.clock.nowMs(),
    };
    await this.customers.addAlias(tx, projectId, owner.id, alias);
    await this.recordAlias(tx, signIn, await this.lockOne(tx, projectId, newAppUserId), newAppUserId);
  }

  private async joinExisting(
    tx: Transaction,
    signIn: SignIn,
    current: CustomerRow | undefined,
    newAppUserId: string,
  ): Promise<void> {
    const { projectId, currentAppUserId } = signIn;
    const target = await this.lockOne(tx, projectId, newAppUserId);
    if (current) {
      await this.customers.merge(tx, projectId, current.id, target.id);
    } else {
      const alias = { appUserId: currentAppUserId, isAnonymous: true, nowMs: this.clock.nowMs() };
      await this.customers.addAlias(tx, projectId, target.id, alias);
    }
    await this.recordAlias(tx, signIn, await this.lockOne(tx, projectId, newAppUserId), currentAppUserId);
  }

  /** The event, and the answer that knows all ids. */
  private async recordAlias(
    tx: Transaction,
    { projectId, appId, requestId }: SignIn,
    customer: CustomerRow,
    joinedAppUserId: string,
  ): Promise<void> {
    const nowMs = this.clock.nowMs();
    const builder = this.recorder.newChange(await this.catalogs.get(projectId), nowMs);
    const place = {
      type: 'SUBSCRIBER_ALIAS',
      dedupeKey: `sa:${requestId}:${joinedAppUserId}`,
      occurredAtMs: nowMs,
      subscriptionId: null,
      purchaseId: null,
      appId,
      environment: null,
      delivery: 'send' as const,
    };
    builder.addEvent(customer, null, place, (head) => aliasEventBody(head, customer, joinedAppUserId, appId));
    await this.recorder.save(tx, projectId, builder, [customer.id], nowMs);
  }

  private async lockOne(tx: Transaction, projectId: string, appUserId: string): Promise<CustomerRow> {
    const [customer] = await this.customers.lock(tx, projectId, { appUserIds: [appUserId] });
    if (!customer) throw new Error(`customer ${appUserId} vanished while it was locked`);
    return customer;
  }
}
