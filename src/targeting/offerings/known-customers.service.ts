import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Enrollment } from '../../../libs/targeting/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import {
  CUSTOMERS_CHANGED,
  readCustomersChanged,
} from '../../customers/customers/identity/customers-changed.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ChangeMarks } from '../../platform/database/connections/change-marks.js';
import { NotificationListenerService } from '../../platform/database/connections/notification-listener.service.js';

/** The customer's variant, or `out` if no running experiment can ever admit the customer. */
export type Known = Enrollment | 'out';

/**
 * Entries for one version of a project's catalog; invalid for any other catalog object. Customers share the entry of a
 * variant.
 */
interface Generation {
  version: number;
  entries: Map<string, Entry>;
}

interface Entry {
  generation: Generation;
  known: Known;
}

const MAX_PROJECTS = 10_000;
/** About 60 MB. */
export const MAX_CUSTOMERS = 2 ** 18;
const DAY_MS = 24 * 3_600_000;

const keyOf = (projectId: string, appUserId: string): string => `${projectId}\n${appUserId}`;

/**
 * Caches the enrollment of customers seen before, so that most requests run no query. Entries are valid for one version
 * of the catalog, until the id belongs to another customer, which every replica is notified of. A replica without
 * notifications does not use them. New enrollments need no notification: within one version, a customer who is out can
 * never be enrolled.
 */
@Injectable()
export class KnownCustomers {
  private readonly customers: LRUCache<string, Entry>;
  private readonly generations = new LRUCache<string, Generation>({ max: MAX_PROJECTS });
  private readonly marks = new ChangeMarks();

  constructor(
    private readonly listener: NotificationListenerService,
    @Inject(CLOCK) clock: Clock,
  ) {
    const perf = { now: () => clock.nowMs() };
    // With `max`, the cache would reserve 12 MB at once.
    const maximum = { maxSize: MAX_CUSTOMERS, sizeCalculation: () => 1 };
    this.customers = new LRUCache({ ...maximum, ttl: DAY_MS, ttlResolution: 0, perf });
    listener.on(CUSTOMERS_CHANGED, (payload) => this.forget(payload));
  }

  /** Read it before reading the customer, and pass it to `remember`. */
  get mark(): number {
    return this.marks.mark;
  }

  find({ projectId, version }: Catalog, appUserId: string): Known | null {
    const generation = this.generations.get(projectId);
    if (generation?.version !== version || !this.listener.connected) return null;
    const entry = this.customers.get(keyOf(projectId, appUserId));
    return entry?.generation === generation ? entry.known : null;
  }

  /** Has no effect if the customer has changed since `mark`: the read may be older than the change. */
  remember(catalog: Catalog, appUserId: string, known: Known, mark: number): void {
    const { projectId } = catalog;
    if (this.marks.hasChanged(mark, projectId, keyOf(projectId, appUserId)) || !this.listener.connected)
      return;
    const generation = this.generationOf(catalog);
    if (generation) this.customers.set(keyOf(catalog.projectId, appUserId), entryOf(generation, known));
  }

  /** Returns null for a catalog older than the cached one. */
  private generationOf({ projectId, version }: Catalog): Generation | null {
    const present = this.generations.get(projectId);
    if (present && present.version >= version) return present.version === version ? present : null;
    const generation: Generation = { version, entries: new Map() };
    this.generations.set(projectId, generation);
    return generation;
  }

  private forget(payload: string): void {
    // The connection was lost for a while.
    if (payload === '') {
      this.marks.noteAll();
      this.generations.clear();
      return;
    }
    const changed = readCustomersChanged(payload);
    if (changed === null) return;
    const { projectId, appUserIds } = changed;
    if (appUserIds === null) {
      this.marks.note(projectId);
      this.generations.delete(projectId);
    }
    for (const key of (appUserIds ?? []).map((appUserId) => keyOf(projectId, appUserId))) {
      this.marks.note(key);
      this.customers.delete(key);
    }
  }
}

function entryOf(generation: Generation, known: Known): Entry {
  const name = known === 'out' ? known : `${known.experimentId} ${known.variant}`;
  const present = generation.entries.get(name);
  if (present) return present;
  const entry = { generation, known };
  generation.entries.set(name, entry);
  return entry;
}
