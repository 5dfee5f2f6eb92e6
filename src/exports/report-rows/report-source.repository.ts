import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { grouped } from '../../../libs/kernel/index.js';
import type {
  ReportSource,
  SourceCustomer,
  SourceLedgerRow,
  SourceOneTime,
  SourceSubscription,
} from './report-source.model.js';
import {
  buyersAfter,
  catalogVersion,
  customersAfter,
  customersOf,
  granteesAfter,
  ledgerOf,
  oneTimeOf,
  subscriptionsOf,
  withNewOwners,
} from './report-source.sql.js';

interface Named {
  id: string;
}

const idsOf = (rows: Named[]): string[] => rows.map(({ id }) => id);

/** Reads what report rows are derived from. */
@Injectable()
export class ReportSourceRepository {
  constructor(private readonly catalogs: CatalogService) {}

  /** Adds the present owners of purchases whose rows still belong to these customers. */
  async withNewOwners(tx: Transaction, projectId: string, customerIds: string[]): Promise<string[]> {
    return idsOf(await tx.query<Named>(withNewOwners, [projectId, customerIds]));
  }

  /** Skips customers who no longer exist. */
  async sourcesOf(
    tx: Transaction,
    projectId: string,
    customerIds: string[],
    nowMs: number,
  ): Promise<ReportSource[]> {
    const values = [projectId, customerIds];
    const [project] = await tx.query<{ catalogVersion: number }>(catalogVersion, [projectId]);
    const customers = await tx.query<SourceCustomer>(customersOf, values);
    if (customers.length === 0) return [];
    const ownerOf = ({ customerId }: { customerId: string }): string => customerId;
    const subscriptions = grouped(await tx.query<SourceSubscription>(subscriptionsOf, values), ownerOf);
    const oneTime = grouped(await tx.query<SourceOneTime>(oneTimeOf, values), ownerOf);
    const ledger = grouped(
      await tx.query<SourceLedgerRow & { customerId: string }>(ledgerOf, values),
      ownerOf,
    );
    const catalog = await this.catalogs.get(projectId, project?.catalogVersion);
    return customers.map((customer) => ({
      customer,
      subscriptions: subscriptions.get(customer.id) ?? [],
      oneTime: oneTime.get(customer.id) ?? [],
      ledger: ledger.get(customer.id) ?? [],
      catalog,
      nowMs,
    }));
  }

  async customersAfter(tx: Transaction, projectId: string, after: string, limit: number): Promise<string[]> {
    return idsOf(await tx.query<Named>(customersAfter, [projectId, after, limit]));
  }

  async buyersAfter(
    tx: Transaction,
    projectId: string,
    product: { appId: string; storeIdentifier: string },
    after: string,
    limit: number,
  ): Promise<string[]> {
    const { appId, storeIdentifier } = product;
    return idsOf(await tx.query<Named>(buyersAfter, [projectId, appId, storeIdentifier, after, limit]));
  }

  async granteesAfter(
    tx: Transaction,
    projectId: string,
    entitlementId: string,
    after: string,
    limit: number,
  ): Promise<string[]> {
    return idsOf(await tx.query<Named>(granteesAfter, [projectId, entitlementId, after, limit]));
  }
}
