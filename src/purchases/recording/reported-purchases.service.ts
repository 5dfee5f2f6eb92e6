import { Injectable } from '@nestjs/common';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { DataLocationService } from '../../platform/data-location/data-location.service.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { applyReported } from './apply-purchases.js';
import { PurchaseRecorder } from './purchase.recorder.js';
import {
  type NamedOwner,
  type NewOwner,
  type ReportedOwners,
  ReportedOwnersService,
  type ReportedPurchases,
} from '../ownership/reported-owners.service.js';

@Injectable()
export class ReportedPurchasesService {
  constructor(
    private readonly owners: ReportedOwnersService,
    private readonly catalogs: CatalogService,
    private readonly recorder: PurchaseRecorder,
    private readonly database: DatabaseService,
    private readonly location: DataLocationService,
  ) {}

  /** Returns the keys of unowned purchases, which are not recorded. `alongside` writes in the same transaction. */
  async record(
    reported: ReportedPurchases,
    newOwner: NewOwner = { kind: 'none' },
    alongside: (tx: Transaction) => Promise<void> = () => Promise.resolve(),
  ): Promise<string[]> {
    if (reported.purchases.length === 0) return [];
    // Before the transaction: loading the catalog needs its own connection.
    const catalog = await this.catalogs.get(reported.projectId);
    return this.database.transaction(
      async (tx) => {
        await this.location.assertStillHere(tx, reported.projectId);
        const owners = await this.owners.lock(tx, catalog, reported, newOwner);
        const unowned = await this.save(tx, reported, owners, catalog);
        await alongside(tx);
        return unowned;
      },
      { retryUniqueViolation: true },
    );
  }

  /**
   * Like `record`, but purchases without an owner go to the customer that `named` identifies (created if new). Old
   * purchases of deleted customers remain without an owner.
   */
  async recordForAccount(reported: ReportedPurchases, named: NamedOwner): Promise<string[]> {
    if (reported.purchases.length === 0) return [];
    const catalog = await this.catalogs.get(reported.projectId);
    const run = (work: (tx: Transaction) => Promise<string[]>): Promise<string[]> =>
      this.database.transaction(work, { retryUniqueViolation: true });
    // Nearly all purchases have an owner. Then no decision is needed, and none of its locks.
    const unowned = await run(async (tx) => {
      await this.location.assertStillHere(tx, reported.projectId);
      const owners = await this.owners.lockOwned(tx, catalog, reported, named);
      const left = await this.save(tx, reported, owners, catalog);
      if (left.length === 0) await this.owners.storeAccounts(tx, reported, owners);
      return left;
    });
    if (unowned.length === 0) return [];
    return run(async (tx) => {
      const owners = await this.owners.lockOrCreate(tx, catalog, reported, named);
      const purchases = reported.purchases.filter(({ key }) => !owners.erased.has(key));
      const rest = { ...reported, purchases };
      const left = await this.save(tx, rest, owners, catalog);
      await this.owners.storeAccounts(tx, rest, owners);
      return [...left, ...owners.erased];
    });
  }

  private async save(
    tx: Transaction,
    reported: ReportedPurchases,
    { owners, newOwner, nowMs }: ReportedOwners,
    catalog: Catalog,
  ): Promise<string[]> {
    const { result } = await this.recorder.record(tx, { catalog, nowMs }, (change) =>
      applyReported(change, reported, owners, newOwner, nowMs),
    );
    return result;
  }
}
