import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { type Enrollment, type VariantId, variantIds } from '../../../libs/targeting/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CUSTOMERS_CHANGED, readCustomersChanged } from '../../customers/customers/customers-changed.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { NotificationListenerService } from '../../platform/database/notification-listener.service.js';
import { KnownTable, VALUE_LIMIT } from './known-table.js';

/** The customer's variant, or that no running experiment can ever admit the customer. */
export type Known = Enrollment | 'out';

/** What is known of a project's customers in one version of its catalog. */
interface Generation {
  number: number;
  version: number;
  /** Ids of the live experiments, by which values name them. */
  experiments: string[];
}

const MAX_PROJECTS = 10_000;
const OUT = 0;

const keyOf = (projectId: string, appUserId: string): string => `${projectId}\n${appUserId}`;

/**
 * What experiments mean to customers who asked before, so that most requests read nothing. It holds for one version of
 * the catalog, and until the id belongs to another customer, which every replica hears. A replica that cannot
 * hear does not use it. A customer who joins need not be announced: in one version, no customer who is out can join.
 */
@Injectable()
export class KnownCustomers {
  private readonly table = new KnownTable();
  private readonly generations = new Map<string, Generation>();
  private lastGeneration = 0;
  private changes = 0;

  constructor(
    private readonly listener: NotificationListenerService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    listener.on(CUSTOMERS_CHANGED, (payload) => this.forget(payload));
  }

  /** To be taken before the customer is read, and given to `remember`. */
  get mark(): number {
    return this.changes;
  }

  find({ projectId, version }: Catalog, appUserId: string): Known | null {
    const generation = this.generations.get(projectId);
    if (generation?.version !== version || !this.listener.connected) return null;
    const value = this.table.get(keyOf(projectId, appUserId), generation.number, this.clock.nowMs());
    if (value === null || value === OUT) return value === OUT ? 'out' : null;
    const place = value - 1;
    const experimentId = generation.experiments[Math.floor(place / variantIds.length)] as string;
    return { experimentId, variant: variantIds[place % variantIds.length] as VariantId };
  }

  /** Does nothing if any customer has changed since `mark`: the read may be older than the change. */
  remember(catalog: Catalog, appUserId: string, known: Known, mark: number): void {
    if (mark !== this.changes || !this.listener.connected) return;
    const generation = this.generationOf(catalog);
    const value = generation && valueOf(generation, known);
    if (generation === null || value === null) return;
    this.table.set(keyOf(catalog.projectId, appUserId), generation.number, value, this.clock.nowMs());
  }

  /** Null for a catalog that is older than what is known. */
  private generationOf({ projectId, version, targeting }: Catalog): Generation | null {
    const present = this.generations.get(projectId);
    if (present && present.version >= version) return present.version === version ? present : null;
    if (this.generations.size >= MAX_PROJECTS) this.generations.clear();
    const generation = { number: ++this.lastGeneration, version, experiments: [...targeting.live.keys()] };
    this.generations.set(projectId, generation);
    return generation;
  }

  private forget(payload: string): void {
    this.changes += 1;
    // The connection was lost for a while.
    if (payload === '') return this.generations.clear();
    const { projectId, appUserIds } = readCustomersChanged(payload);
    if (appUserIds === null) this.generations.delete(projectId);
    for (const appUserId of appUserIds ?? []) this.table.delete(keyOf(projectId, appUserId));
  }
}

/** Null if there is no number for it. */
function valueOf({ experiments }: Generation, known: Known): number | null {
  if (known === 'out') return OUT;
  const place = experiments.indexOf(known.experimentId);
  const value = 1 + place * variantIds.length + variantIds.indexOf(known.variant);
  return place === -1 || value >= VALUE_LIMIT ? null : value;
}
