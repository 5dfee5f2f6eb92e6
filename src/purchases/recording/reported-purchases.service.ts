import { Injectable } from '@nestjs/common';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { DataLocationService } from '../../platform/data-location/data-location.service.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { SharedTransactions } from '../../platform/database/shared-transactions.js';
import { applyReported } from './apply-purchases.js';
import { PurchaseRecorder } from './purchase.recorder.js';
import {
  type NamedOwner,
  type NewOwner,
  type OwnedReport,
  type ReportedOwners,
  ReportedOwnersService,
  type ReportedPurchases,
} from '../ownership/reported-owners.service.js';

interface Item {
  report: OwnedReport;
  catalog: Catalog;
}

/**
 * Records purchases that a store reports without a posting customer. Reports that arrive together share a transaction,
 * unless one needs a decision about its owner.
 */
@Injectable()
export class ReportedPurchasesService {
  private readonly shared: SharedTransactions<Item, string[]>;

  constructor(
    private readonly owners: ReportedOwnersService,
    private readonly catalogs: CatalogService,
    private readonly recorder: PurchaseRecorder,
    private readonly database: DatabaseService,
    private readonly location: DataLocationService,
  ) {
    this.shared = new SharedTransactions(
      database,
      (tx, items) => this.recordTogether(tx, items),
      ({ report: { projectId, store, environment } }) => `${projectId} ${store} ${environment}`,
    );
  }

  /** Returns the keys of unowned purchases, which are not recorded. `alongside` writes in the same transaction. */
  async record(
    reported: ReportedPurchases,
    newOwner: NewOwner = { kind: 'none' },
    alongside?: (tx: Transaction) => Promise<void>,
  ): Promise<string[]> {
    if (reported.purchases.length === 0) return [];
    // Before the transaction: loading the catalog needs its own connection.
    const catalog = await this.catalogs.get(reported.projectId);
    if (!alongside && newOwner.kind !== 'person') {
      const beside = newOwner.kind === 'owner_of' ? newOwner.key : null;
      const unowned = await this.shared.submit({ report: { ...reported, beside, named: null }, catalog });
      if (unowned) return unowned;
    }
    return this.database.transaction(
      async (tx) => {
        await this.location.assertStillHere(tx, reported.projectId);
        const owners = await this.owners.lock(tx, catalog, reported, newOwner);
        const unowned = await this.save(tx, reported, owners, catalog);
        await alongside?.(tx);
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
    // Nearly all purchases have an owner. Then no decision is needed, and none of its locks.
    const shared = await this.shared.submit({ report: { ...reported, beside: null, named }, catalog });
    if (shared?.length === 0) return [];
    return this.database.transaction(
      async (tx) => {
        await this.location.assertStillHere(tx, reported.projectId);
        const owners = await this.owners.lockOrCreate(tx, catalog, reported, named);
        const purchases = reported.purchases.filter(({ key }) => !owners.erased.has(key));
        const rest = { ...reported, purchases };
        const left = await this.save(tx, rest, owners, catalog);
        await this.owners.storeAccounts(tx, [{ reported: rest, owners }]);
        return [...left, ...owners.erased];
      },
      { retryUniqueViolation: true },
    );
  }

  /** Null for reports that need a separate transaction. */
  private async recordTogether(tx: Transaction, items: Item[]): Promise<(string[] | null)[]> {
    const catalog = items.map((item) => item.catalog).reduce((a, b) => (a.version >= b.version ? a : b));
    await this.location.assertStillHere(tx, catalog.projectId);
    const reports = items.map(({ report }) => report);
    const { owners, nowMs } = await this.owners.lockTogether(tx, catalog, reports);
    const { result } = await this.recorder.record(tx, { catalog, nowMs }, (change) =>
      reports.map((report, index) => {
        const own = owners[index];
        return own ? applyReported(change, report, own.owners, own.newOwner, nowMs) : null;
      }),
    );
    const complete = reports.flatMap((reported, index) => {
      const own = owners[index];
      return own && reported.named && result[index]?.length === 0 ? [{ reported, owners: own }] : [];
    });
    await this.owners.storeAccounts(tx, complete);
    return result;
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
