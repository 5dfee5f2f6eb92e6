import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../libs/kernel/index.js';
import type { Catalog } from '../catalog/catalog.model.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { CLOCK } from '../config/clock.token.js';
import type { CustomerRow } from '../customers/customer-state.js';
import { CustomersService } from '../customers/customers.service.js';
import { Database, type Transaction } from '../database/database.js';
import { owns } from './customer-purchases.js';
import { type OwnedPurchases, PurchaseRecorder } from './purchase-recorder.js';

/** What a store tells by itself, without a customer who posts it. */
export interface ToldPurchases extends Omit<OwnedPurchases, 'appUserId'> {
  projectId: string;
}

/** Who gets purchases that nobody owns: nobody; the owner of another one; or somebody, created when new. */
export type Heir =
  { kind: 'nobody' } | { kind: 'owner_of'; key: string } | { kind: 'person'; appUserId: string };

export const nobody: Heir = { kind: 'nobody' };

/** Records what stores tell of purchases: on whoever owns them. Nothing that a store tells moves a purchase. */
@Injectable()
export class ToldPurchasesService {
  constructor(
    @Inject(CustomersService) private readonly customers: CustomersService,
    @Inject(CatalogService) private readonly catalogs: CatalogService,
    @Inject(PurchaseRecorder) private readonly recorder: PurchaseRecorder,
    @Inject(Database) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Gives the keys of the purchases that still belong to nobody; nothing of those was kept. `alongside` writes in
   * the same transaction.
   */
  async record(
    told: ToldPurchases,
    heir: Heir,
    alongside: (tx: Transaction) => Promise<void> = () => Promise.resolve(),
  ): Promise<string[]> {
    if (told.purchases.length === 0) return [];
    // Before the transaction: a load of the catalog needs a connection of its own.
    const catalog = await this.catalogs.get(told.projectId);
    return this.database.transaction(
      async (tx) => {
        const unowned = await this.recordIn(tx, told, heir, catalog);
        await alongside(tx);
        return unowned;
      },
      { retryUniqueViolation: true },
    );
  }

  private async recordIn(
    tx: Transaction,
    told: ToldPurchases,
    heir: Heir,
    catalog: Catalog,
  ): Promise<string[]> {
    const { projectId, purchases } = told;
    const nowMs = this.clock.nowMs();
    const { owners, inheritor } = await this.locked(tx, told, heir, nowMs);
    const builder = this.recorder.newChange(catalog, nowMs);
    const unowned: string[] = [];
    for (const purchase of purchases) {
      const owner = owners.find((row) => owns(row, told, purchase)) ?? inheritor;
      if (!owner) {
        unowned.push(purchase.key);
        continue;
      }
      const owned = { ...told, purchases: [purchase], appUserId: owner.originalAppUserId };
      this.recorder.applyOwned(builder, owned, owner, nowMs);
    }
    await this.recorder.save(tx, projectId, builder, [], nowMs);
    return unowned;
  }

  /** Locks all owners, and who is to get what nobody owns, in one order. */
  private async locked(
    tx: Transaction,
    told: ToldPurchases,
    heir: Heir,
    nowMs: number,
  ): Promise<{ owners: CustomerRow[]; inheritor: CustomerRow | null }> {
    const { projectId, store, environment, purchases } = told;
    const keys = purchases.map(({ key }) => key);
    if (heir.kind === 'person') {
      const wanted = { appUserIds: [heir.appUserId], purchaseKeys: { store, environment, keys } };
      const newcomer = { appUserId: heir.appUserId, device: null };
      const found = await this.customers.lockOrCreate(tx, projectId, newcomer, wanted, nowMs);
      // A test clock's time is not that of the store.
      const inheritor = found.customer.testClockId === null ? found.customer : null;
      return { owners: [found.customer, ...found.others], inheritor };
    }
    const all = heir.kind === 'owner_of' ? [...keys, heir.key] : keys;
    const wanted = { appUserIds: [], purchaseKeys: { store, environment, keys: all } };
    const owners = await this.customers.lock(tx, projectId, wanted);
    const inheritor = heir.kind === 'owner_of' ? owners.find((row) => owns(row, told, heir)) : null;
    return { owners, inheritor: inheritor ?? null };
  }
}
