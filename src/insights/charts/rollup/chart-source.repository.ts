import { Injectable } from '@nestjs/common';
import type { Catalog } from '../../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../../catalog/snapshot/catalog.service.js';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../../platform/database/database.service.js';
import type { OldestDue } from '../../../platform/jobs/due-age.js';
import { TODAY_EVERY_MS } from '../activity/activity-limits.js';
import type { CohortLevel } from '../cohorts/cohort-levels.js';
import { soldProduct } from '../facts/sold-product.js';
import { ChartAttributesRepository } from './chart-attributes.repository.js';
import { type DerivedCustomer, deriveCustomer } from '../facts/derive-customer.js';
import { type Dims, DimsDictionary } from '../facts/dims.js';
import {
  attributionNames,
  type ChartCustomer,
  type ChartEnrollment,
  type ChartLedgerRow,
  type ChartOneTimePurchase,
  type ChartSubscription,
  type FindProduct,
} from '../facts/source.model.js';
import {
  customersAfter,
  customersOf,
  dueProjects,
  enrollmentsOf,
  ledgerOf,
  lockProject,
  markAllDays,
  markProducts,
  customersOfProduct,
  endProductChange,
  moveProductChange,
  moveRebuild,
  oldestMark,
  productChange,
  registerProject,
  requestRebuild,
  oneTimeOf,
  sourceSettings,
  startExactRebuild,
  startRebuild,
  subscriptionsOf,
  takeMarks,
  waiting,
} from './source.sql.js';

export interface Derived {
  customers: DerivedCustomer[];
  /** Their combinations of dimension values. */
  dims: Dims[];
}

interface Settings {
  catalogVersion: number;
  chartAttributes: string[];
}

export interface ProductMark {
  appId: string;
  productId: string;
  storeIdentifier: string;
  /** Sales of other products may belong to this one now, or the other way round. */
  isRenamed: boolean;
}

interface ProductChange extends ProductMark {
  id: number;
  doneUntil: string;
}

export interface DueProject {
  projectId: string;
  isRegistered: boolean;
}

/** Progress of a project's rollup. */
export interface RollupPlace {
  closedUntil: string | null;
  rebuiltUntil: string | null;
  hasCohorts: boolean;
  hasExactFacts: boolean;
  hasCohortDays: boolean;
  /** Levels whose sums by sets of values are stored. */
  cohortLevels: CohortLevel[];
}

/** Marks of a project, counted up to a limit. */
export interface WaitingMarks {
  marks: number;
  sinceMs: number | null;
  isRegistered: boolean;
  hasProductChange: boolean;
}

export interface TakenMarks {
  marks: number;
  customerIds: string[];
}

function finding(catalog: Catalog): FindProduct {
  const known = new Map<string, ReturnType<FindProduct>>();
  return (appId, storeProductId) => {
    const key = `${appId}\n${storeProductId}`;
    let product = known.get(key);
    if (product === undefined) {
      const found = soldProduct(catalog, { appId, storeProductId });
      product = found ? { productId: found.id, duration: found.duration } : null;
      known.set(key, product);
    }
    return product;
  };
}

function byCustomer<Row extends { customerId: string }>(rows: Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.customerId);
    if (group) group.push(row);
    else groups.set(row.customerId, [row]);
  }
  return groups;
}

/** Reads the source data of charts. */
@Injectable()
export class ChartSourceRepository {
  constructor(
    private readonly catalogs: CatalogService,
    private readonly attributes: ChartAttributesRepository,
    private readonly database: DatabaseService,
  ) {}

  async registerProject(projectId: string): Promise<void> {
    await this.database.query(registerProject, [projectId]);
  }

  /** Returns projects with work, whether or not another process works on them. */
  dueProjects(yesterday: string, now: Date): Promise<DueProject[]> {
    return this.database.query(dueProjects, [yesterday, now, new Date(now.getTime() - TODAY_EVERY_MS)]);
  }

  /** Locks a project until the transaction ends. Returns null if it is locked already or not registered. */
  async lockProject(tx: Transaction, projectId: string): Promise<RollupPlace | null> {
    return (await tx.query<RollupPlace>(lockProject, [projectId]))[0] ?? null;
  }

  async oldestMark(): Promise<OldestDue> {
    return (await this.database.query<OldestDue>(oldestMark, []))[0] ?? { dueAt: null, queuesRead: 0 };
  }

  async waiting(projectId: string, limit: number): Promise<WaitingMarks> {
    const [row] = await this.database.query<WaitingMarks>(waiting, [projectId, limit]);
    return row ?? { marks: 0, sinceMs: null, isRegistered: true, hasProductChange: false };
  }

  async requestRebuild(executor: Executor, projectId: string): Promise<void> {
    await executor.query(requestRebuild, [projectId]);
  }

  /** Does nothing if the project has no facts. */
  async markProducts(tx: Transaction, projectId: string, products: readonly ProductMark[]): Promise<void> {
    await tx.query(markProducts, [
      projectId,
      products.map(({ appId }) => appId),
      products.map(({ productId }) => productId),
      products.map(({ storeIdentifier }) => storeIdentifier),
      products.map(({ isRenamed }) => isRenamed),
    ]);
  }

  /** Deletes up to `limit` marks of a locked project and returns their customers. */
  async takeMarks(tx: Transaction, projectId: string, limit: number): Promise<TakenMarks> {
    const [taken] = await tx.query<TakenMarks>(takeMarks, [projectId, limit]);
    return taken ?? { marks: 0, customerIds: [] };
  }

  /** Skips customers who no longer exist. */
  async derive(tx: Transaction, projectId: string, customerIds: string[]): Promise<Derived> {
    const values = [projectId, customerIds];
    const [settings] = await tx.query<Settings>(sourceSettings, [projectId]);
    const { catalogVersion, chartAttributes: chosen = [] } = settings ?? {};
    const customers = await tx.query<ChartCustomer>(customersOf, [
      ...values,
      [...attributionNames, ...chosen],
    ]);
    if (customers.length === 0) return { customers: [], dims: [] };
    const chosenOf = await this.attributes.valuesOf(tx, projectId, customers, chosen);
    const subscriptions = byCustomer(await tx.query<ChartSubscription>(subscriptionsOf, values));
    const oneTime = byCustomer(await tx.query<ChartOneTimePurchase>(oneTimeOf, values));
    const enrollments = byCustomer(await tx.query<ChartEnrollment>(enrollmentsOf, values));
    const ledger = byCustomer(await tx.query<ChartLedgerRow>(ledgerOf, values));
    const find = finding(await this.catalogs.get(projectId, catalogVersion));
    const dictionary = new DimsDictionary();
    const derived = customers.map((customer) =>
      deriveCustomer(
        {
          customer,
          chosen: chosenOf.get(customer.id) ?? {},
          subscriptions: subscriptions.get(customer.id) ?? [],
          oneTime: oneTime.get(customer.id) ?? [],
          enrollments: enrollments.get(customer.id) ?? [],
          ledger: ledger.get(customer.id) ?? [],
        },
        find,
        dictionary,
      ),
    );
    return { customers: derived, dims: dictionary.all() };
  }

  /** Deletes combinations and values that no customer has any more. */
  forgetUnused(tx: Transaction, projectId: string): Promise<void> {
    return this.attributes.forgetUnused(tx, projectId);
  }

  /** Starts a requested rebuild. Returns whether one was requested. */
  async startRebuild(tx: Transaction, projectId: string): Promise<boolean> {
    if ((await tx.query(startRebuild, [projectId])).length === 0) return false;
    const [settings] = await tx.query<Settings>(sourceSettings, [projectId]);
    await this.attributes.chooseValues(tx, projectId, settings?.chartAttributes ?? []);
    return true;
  }

  /** Starts to derive everything again that an older server wrote. */
  async startExactRebuild(tx: Transaction, projectId: string): Promise<void> {
    await tx.query(startExactRebuild, [projectId]);
    await tx.query(markAllDays, [projectId]);
  }

  /** Returns the next customers of a rebuild. Advances its position, and completes it after the last customer. */
  async continueRebuild(tx: Transaction, projectId: string, after: string, limit: number): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(customersAfter, [projectId, after, limit]);
    const ids = rows.map(({ id }) => id);
    await tx.query(moveRebuild, [projectId, ids.length < limit ? null : ids.at(-1)]);
    return ids;
  }

  /**
   * Returns the next customers of the oldest product change, which completes after the last one. Returns null if there
   * is none.
   */
  async continueProductChange(tx: Transaction, projectId: string, limit: number): Promise<string[] | null> {
    const [change] = await tx.query<ProductChange>(productChange, [projectId]);
    if (!change) return null;
    const { id, appId, productId, storeIdentifier, isRenamed, doneUntil } = change;
    const rows = await tx.query<{ id: string }>(customersOfProduct, [
      projectId,
      appId,
      productId,
      storeIdentifier,
      isRenamed,
      doneUntil,
      limit,
    ]);
    if (rows.length < limit) await tx.query(endProductChange, [projectId, id]);
    else await tx.query(moveProductChange, [projectId, id, rows.at(-1)?.id]);
    return rows.map((row) => row.id);
  }
}
