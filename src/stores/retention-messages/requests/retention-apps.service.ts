import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { type CompiledRetentionRules, compileRetentionRules } from '../../../../libs/targeting/index.js';
import type { App } from '../../../catalog/apps/app.entity.js';
import { AppsService } from '../../../catalog/apps/apps.service.js';
import { CATALOG_CHANGED } from '../../../catalog/shared/catalog-version.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { DataLocationService, isElsewhere } from '../../../platform/data-location/data-location.service.js';
import { NotificationListenerService } from '../../../platform/database/connections/notification-listener.service.js';
import type { RetentionRule } from '../rules/retention-rule.entity.js';
import { RetentionRulesService } from '../rules/retention-rules.service.js';

/** An app with its rules, ready to be evaluated. */
export interface RetentionApp {
  app: App;
  rules: Record<RetentionRule['environment'], CompiledRetentionRules<RetentionRule>>;
}

interface Entry {
  loaded: Promise<RetentionApp | null>;
  /** Null until it is loaded. */
  projectId: string | null;
  loadedAtMs: number;
}

const MAX_APPS = 500;
const TTL_MS = 30_000;
/** Maximum age of a cached app while this replica cannot receive change notifications. */
const TTL_UNHEARD_MS = 1_000;

/** Apps with their compiled rules, cached per process and dropped on every replica when the catalog changes. */
@Injectable()
export class RetentionAppsService {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly apps: AppsService,
    private readonly rules: RetentionRulesService,
    private readonly location: DataLocationService,
    private readonly listener: NotificationListenerService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    listener.on(CATALOG_CHANGED, (projectId) => this.drop(projectId));
  }

  /** Null for an unknown app and for one of another store. @throws ApiError 503 for a project of another region */
  async find(appId: string): Promise<RetentionApp | null> {
    const found = await this.cached(appId);
    if (found && this.location.foreign(found.app.projectId)) throw isElsewhere();
    return found;
  }

  private async cached(appId: string): Promise<RetentionApp | null> {
    const known = this.entries.get(appId);
    const ttlMs = this.listener.connected ? TTL_MS : TTL_UNHEARD_MS;
    if (known && this.clock.nowMs() - known.loadedAtMs < ttlMs) return known.loaded;
    if (this.entries.size >= MAX_APPS) this.entries.delete(this.entries.keys().next().value ?? '');
    const entry: Entry = { loaded: this.load(appId), projectId: null, loadedAtMs: this.clock.nowMs() };
    this.entries.set(appId, entry);
    const forget = (): void => {
      if (this.entries.get(appId) === entry) this.entries.delete(appId);
    };
    const app = await entry.loaded.catch((error: unknown) => {
      forget();
      throw error;
    });
    // Anyone can ask for made-up ids.
    if (app === null) forget();
    else entry.projectId = app.app.projectId;
    return app;
  }

  /** Drops the apps of a project, or all if it is empty. One that is still loading may be any project's. */
  private drop(changed: string): void {
    for (const [appId, { projectId }] of this.entries)
      if (changed === '' || projectId === null || projectId === changed) this.entries.delete(appId);
  }

  private async load(appId: string): Promise<RetentionApp | null> {
    const app = await this.apps.findAnywhere(appId);
    if (app?.type !== 'app_store' && app?.type !== 'mac_app_store') return null;
    const all = await this.rules.inOrder(app.projectId, app.id);
    const of = (environment: RetentionRule['environment']): CompiledRetentionRules<RetentionRule> =>
      compileRetentionRules(all.filter((rule) => rule.environment === environment));
    return { app, rules: { production: of('production'), sandbox: of('sandbox') } };
  }
}
