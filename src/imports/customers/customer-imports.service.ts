import { Injectable } from '@nestjs/common';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { markImported, markOfferingOverrides } from '../../catalog/shared/catalog-version.js';
import type { BlockedBy } from '../../customers/blocked-customers/blocked-by.js';
import { BlockedCustomersService } from '../../customers/blocked-customers/blocked-customers.service.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { keyStateOf } from '../../customers/customers/customer-info/unconfirmed-keys.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { Config } from '../../platform/config/config.js';
import type { ImportCustomersDto } from './customer-import.dto.js';
import {
  ImportIdentitiesService,
  type ResolvedIdentities,
  type ResolvedItem,
} from './identities/import-identities.service.js';
import { ImportRecorder } from './import.recorder.js';
import { ImportResolver, type Resolutions } from './import-resolver.js';
import type { ImportScope } from './import-scope.js';
import { assertImportable } from './import-shape.policy.js';

const LOCK_TIMEOUT_MS = 10_000;

export interface ImportRequest {
  id: string;
  atMs: number;
  /** The actor recorded for ids that the other system has blocked. */
  by: BlockedBy;
}

export interface ImportedItem extends ResolvedItem {
  subscriptions: number;
  purchases: number;
  needsTokenRefresh: number;
}

interface PreparedImport {
  catalog: Catalog;
  resolutions: Resolutions;
  /** Whether to ask stores for keys that the import lacks. */
  asksStores: boolean;
}

/** Imports customers of another system, with one transaction per call. */
@Injectable()
export class CustomerImportsService {
  constructor(
    private readonly catalogs: CatalogService,
    private readonly resolver: ImportResolver,
    private readonly identities: ImportIdentitiesService,
    private readonly recorder: ImportRecorder,
    private readonly blocked: BlockedCustomersService,
    private readonly writes: ProjectWritesService,
    private readonly config: Config,
  ) {}

  /** Returns one result per customer in the body. @throws ApiError 400 naming the field at fault; nothing is written */
  async run(write: ProjectWrite, body: ImportCustomersDto, request: ImportRequest): Promise<ImportedItem[]> {
    const prepared = await this.prepare(write.projectId, body, request.atMs);
    return this.writes.run(write, (tx) => this.import(tx, prepared, body, request), {
      retryUniqueViolation: true,
      lockTimeoutMs: LOCK_TIMEOUT_MS,
    });
  }

  /** Runs before the transaction, during which no store is called. */
  private async prepare(projectId: string, body: ImportCustomersDto, nowMs: number): Promise<PreparedImport> {
    const catalog = await this.catalogs.getCurrent(projectId);
    assertImportable(body, catalog, nowMs);
    const asksStores = body.resolve_store_ids ?? true;
    const emits = body.emit_events ?? false;
    const resolutions: Resolutions = asksStores
      ? await this.resolver.resolve(projectId, body.customers, emits)
      : new Map();
    return { catalog, resolutions, asksStores };
  }

  private async import(
    tx: WriteTransaction,
    { catalog, resolutions, asksStores }: PreparedImport,
    body: ImportCustomersDto,
    request: ImportRequest,
  ): Promise<ImportedItem[]> {
    const { projectId } = catalog;
    // Lock the project first, like every change to its catalog.
    if (!catalog.hasImports) await markImported(tx, projectId);
    if (overridesOfferings(body, catalog)) await markOfferingOverrides(tx, projectId);
    const { emit_events: emits = false, customers } = body;
    const identities = { catalog, customers, resolutions, requestId: request.id };
    const resolved = await this.identities.resolve(tx, identities);
    await this.block(tx, resolved, request.by);
    const scope: ImportScope = {
      catalog,
      resolutions,
      asOfMs: body.as_of ?? request.atMs,
      holdDays: this.config.importHoldDays,
      asksStores,
      emits,
      nowMs: resolved.nowMs,
    };
    const counts = await this.recorder.record(tx, resolved, scope, request.id);
    await this.audit(tx, resolved.items, counts);
    return resolved.items.map((item, index) => ({
      ...item,
      ...(counts[index] ?? { subscriptions: 0, purchases: 0 }),
      needsTokenRefresh: waitingOf(item.customer, counts[index]?.recorded),
    }));
  }

  /** Runs before purchases are recorded: they grant a blocked customer nothing. */
  private async block(tx: WriteTransaction, resolved: ResolvedIdentities, by: BlockedBy): Promise<void> {
    const { items, nowMs } = resolved;
    const wanted = items.filter(({ item, customer }) => item.blocked === true && customer);
    const ids = wanted.map(({ item }) => item.id);
    const added = await this.blocked.blockIn(tx, tx.write.projectId, ids, by, nowMs);
    for (const { item, customer } of wanted) {
      if (customer && added.includes(item.id)) {
        customer.blocked = true;
        resolved.touched.add(customer);
      }
    }
  }

  private audit(
    tx: WriteTransaction,
    items: ResolvedItem[],
    counts: { subscriptions: number; purchases: number }[],
  ): Promise<void> {
    const count = (status: ResolvedItem['status']): number =>
      items.filter((item) => item.status === status).length;
    const sum = (of: 'subscriptions' | 'purchases'): number => counts.reduce((all, one) => all + one[of], 0);
    return tx.audit({
      action: 'imported',
      target: 'customers',
      targetId: tx.write.projectId,
      data: {
        customers: items.length,
        created: count('created'),
        updated: count('updated'),
        merged: count('merged'),
        subscriptions: sum('subscriptions'),
        purchases: sum('purchases'),
      },
    });
  }
}

function overridesOfferings({ customers }: ImportCustomersDto, catalog: Catalog): boolean {
  const named = customers.flatMap(({ offering_override: name }) => name ?? []);
  return !catalog.hasOfferingOverrides && named.some((name) => catalog.findOffering(name));
}

function waitingOf(customer: CustomerRow | null, recorded: ReadonlySet<string> = new Set()): number {
  const own = customer?.subscriptions.filter(({ id }) => recorded.has(id)) ?? [];
  return own.filter((row) => keyStateOf(row) === 'token_needed').length;
}
