import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { NotificationListener } from '../database/notification-listener.js';
import { ApiError } from '../http/api-error.js';
import { CATALOG_CHANGED } from './catalog-version.js';
import type { Catalog } from './catalog.model.js';
import { CatalogRepository } from './catalog.repository.js';

interface Entry {
  catalog: Promise<Catalog>;
  loadedAtMs: number;
}

const MAX_PROJECTS = 500;
const TTL_MS = 30_000;
/** How stale a catalog may be on this replica while it cannot hear of changes. */
const TTL_UNHEARD_MS = 1_000;

/** Whole catalogs by project, cached per process and dropped everywhere when one changes. */
@Injectable()
export class CatalogService {
  private readonly entries = new Map<string, Entry>();

  constructor(
    @Inject(CatalogRepository) private readonly repository: CatalogRepository,
    @Inject(NotificationListener) private readonly listener: NotificationListener,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    listener.on(CATALOG_CHANGED, (projectId) => this.drop(projectId));
  }

  /**
   * The catalog of a project. With `version` (as read from the database beside other rows) it is never
   * older than that version.
   */
  async get(projectId: string, version?: number): Promise<Catalog> {
    const cached = this.fresh(projectId);
    if (cached) {
      const catalog = await cached;
      if (version === undefined || catalog.version >= version) return catalog;
    }
    return this.load(projectId);
  }

  /** The catalog as of now, whatever this replica has heard of: for what depends on an object still being there. */
  async getCurrent(projectId: string): Promise<Catalog> {
    return this.get(projectId, (await this.repository.version(projectId)) ?? undefined);
  }

  private fresh(projectId: string): Promise<Catalog> | null {
    const entry = this.entries.get(projectId);
    if (!entry) return null;
    const ttlMs = this.listener.connected ? TTL_MS : TTL_UNHEARD_MS;
    return this.clock.nowMs() - entry.loadedAtMs < ttlMs ? entry.catalog : null;
  }

  private load(projectId: string): Promise<Catalog> {
    const catalog = this.repository.load(projectId).then((found) => {
      if (!found) throw ApiError.missing('project', projectId);
      return found;
    });
    if (this.entries.size >= MAX_PROJECTS) this.entries.delete(this.entries.keys().next().value ?? '');
    const entry = { catalog, loadedAtMs: this.clock.nowMs() };
    this.entries.set(projectId, entry);
    catalog.catch(() => {
      if (this.entries.get(projectId) === entry) this.entries.delete(projectId);
    });
    return catalog;
  }

  private drop(projectId: string): void {
    if (projectId === '') this.entries.clear();
    else this.entries.delete(projectId);
  }
}
