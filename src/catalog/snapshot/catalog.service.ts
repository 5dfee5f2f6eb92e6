import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { NotificationListenerService } from '../../platform/database/connections/notification-listener.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { CATALOG_CHANGED } from '../shared/catalog-version.js';
import type { Catalog, CatalogApp } from './catalog.model.js';
import { CatalogRepository } from './catalog.repository.js';

interface Entry {
  catalog: Promise<Catalog>;
  loadedAtMs: number;
}

export interface CatalogOfApp {
  catalog: Catalog;
  app: CatalogApp;
}

const MAX_PROJECTS = 500;
const TTL_MS = 30_000;
/** Maximum age of a cached catalog while this replica cannot receive change notifications. */
const TTL_UNHEARD_MS = 1_000;

/** Whole catalogs by project, cached per process and dropped on every replica when they change. */
@Injectable()
export class CatalogService {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly repository: CatalogRepository,
    private readonly listener: NotificationListenerService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    listener.on(CATALOG_CHANGED, (projectId) => this.drop(projectId));
  }

  /** With `version` (read from the database with other rows), returns at least that version of the catalog. */
  async get(projectId: string, version?: number): Promise<Catalog> {
    const cached = this.fresh(projectId);
    if (cached) {
      const catalog = await cached;
      if (version === undefined || catalog.version >= version) return catalog;
    }
    return this.load(projectId);
  }

  /** Returns the current catalog, bypassing the cache: for checks that an object still exists. */
  async getCurrent(projectId: string): Promise<Catalog> {
    return this.get(projectId, (await this.repository.version(projectId)) ?? undefined);
  }

  /**
   * Returns the app of a key, with a catalog that includes it. The key may be newer than the cached catalog, and SDKs
   * drop their purchase on a 401, so only a freshly read catalog may decide that the app is gone.
   * @throws ApiError 401 if the app is gone
   */
  async ofApp(projectId: string, appId: string): Promise<CatalogOfApp> {
    const held = await this.get(projectId);
    const catalog = held.apps.has(appId) ? held : await this.get(projectId, held.version + 1);
    const app = catalog.apps.get(appId);
    if (!app) throw new ApiError('unauthenticated', 'The API key is unknown.');
    return { catalog, app };
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
