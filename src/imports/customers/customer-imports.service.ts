import { Injectable } from '@nestjs/common';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { markImported, markOfferingOverrides } from '../../catalog/shared/catalog-version.js';
import type { BlockedBy } from '../../customers/blocked-customers/blocked-by.js';
import { BlockedCustomersService } from '../../customers/blocked-customers/blocked-customers.service.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { keyStateOf } from '../../customers/customers/customer-info/unconfirmed-keys.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import type { ImportCustomersDto } from './customer-import.dto.js';
import {
  ImportIdentitiesService,
  type SettledIdentities,
  type SettledItem,
} from './identities/import-identities.service.js';
import { ImportRecorder } from './import.recorder.js';
import { ImportPreparationService, type PreparedImport } from './import-preparation.service.js';
import type { ImportScope } from './import-scope.js';

const LOCK_TIMEOUT_MS = 10_000;

export interface ImportRequest {
  id: string;
  atMs: number;
  /** The actor recorded for ids that the other system has blocked. */
  by: BlockedBy;
}

export interface ImportedItem extends SettledItem {
  subscriptions: number;
  purchases: number;
  needsTokenRefresh: number;
}

/** Imports customers of another system, with one transaction per call. */
@Injectable()
export class CustomerImportsService {
  constructor(
    private readonly preparation: ImportPreparationService,
    private readonly identities: ImportIdentitiesService,
    private readonly recorder: ImportRecorder,
    private readonly blocked: BlockedCustomersService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** Returns one result per customer in the body. @throws ApiError 400 naming the field at fault; nothing is written */
  async run(write: ProjectWrite, body: ImportCustomersDto, request: ImportRequest): Promise<ImportedItem[]> {
    const prepared = await this.preparation.prepare(write.projectId, body, request.atMs);
    return this.writes.run(write, (tx) => this.import(tx, prepared, body, request), {
      retryUniqueViolation: true,
      lockTimeoutMs: LOCK_TIMEOUT_MS,
    });
  }

  private async import(
    tx: WriteTransaction,
    { catalog, resolutions, holdDays, asksStores }: PreparedImport,
    body: ImportCustomersDto,
    request: ImportRequest,
  ): Promise<ImportedItem[]> {
    const { projectId } = catalog;
    // Lock the project first, like every change to its catalog.
    if (!catalog.hasImports) await markImported(tx, projectId);
    if (overridesOfferings(body, catalog)) await markOfferingOverrides(tx, projectId);
    const { emit_events: emits = false, customers } = body;
    const identities = { catalog, customers, resolutions, requestId: request.id };
    const settled = await this.identities.settle(tx, identities);
    await this.block(tx, settled, request.by);
    const scope: ImportScope = {
      catalog,
      resolutions,
      asOfMs: body.as_of ?? request.atMs,
      holdDays,
      asksStores,
      emits,
      nowMs: settled.nowMs,
    };
    const counts = await this.recorder.record(tx, settled, scope, request.id);
    await this.audit(tx, settled.items, counts);
    return settled.items.map((item, index) => ({
      ...item,
      ...(counts[index] ?? { subscriptions: 0, purchases: 0 }),
      needsTokenRefresh: waitingOf(item.customer, counts[index]?.recorded),
    }));
  }

  /** Runs before purchases are recorded: they grant a blocked customer nothing. */
  private async block(tx: WriteTransaction, settled: SettledIdentities, by: BlockedBy): Promise<void> {
    const { items, nowMs } = settled;
    const wanted = items.filter(({ item, customer }) => item.blocked === true && customer);
    const ids = wanted.map(({ item }) => item.id);
    const added = await this.blocked.blockIn(tx, tx.write.projectId, ids, by, nowMs);
    for (const { item, customer } of wanted) {
      if (customer && added.includes(item.id)) {
        customer.blocked = true;
        settled.touched.add(customer);
      }
    }
  }

  private audit(
    tx: WriteTransaction,
    items: SettledItem[],
    counts: { subscriptions: number; purchases: number }[],
  ): Promise<void> {
    const count = (status: SettledItem['status']): number =>
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
