import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { Region } from '../config/enterprise-settings.js';
import type { Transaction } from '../database/database.service.js';
import { NotificationListenerService } from '../database/connections/notification-listener.service.js';
import { ApiError } from '../http/errors/api-error.js';
import { LogService } from '../observability/log.service.js';
import { ProjectLocationsRepository } from './project-locations.repository.js';

/** Location of a project stored by another deployment. */
export interface ForeignRegion {
  region: Region;
  /** Null if the URL of the other deployment is not configured. */
  apiUrl: string | null;
  appUrl: string | null;
}

const LOCATIONS_CHANGED = 'project_locations_changed';
/** Interval of reading the table while this process receives no notifications. */
const UNHEARD_MS = 5_000;
const RETRY_AFTER_S = 60;

/** For calls from SDKs and stores: after a 4xx, an SDK would finish a purchase that was not recorded. */
export function isElsewhere(): ApiError {
  return new ApiError('overloaded', 'The data of this project is in another region.', {
    retryAfterS: RETRY_AFTER_S,
  });
}

/**
 * Knows which projects other deployments store. Requests on the hot path use the copy in memory; job statements query
 * the same table with `isHere`. Only the enterprise edition writes the table, where regions are enforced.
 */
@Injectable()
export class DataLocationService implements OnApplicationBootstrap, OnApplicationShutdown {
  private regions: ReadonlyMap<string, Region> = new Map();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly repository: ProjectLocationsRepository,
    private readonly config: Config,
    private readonly listener: NotificationListenerService,
    private readonly log: LogService,
  ) {
    listener.on(LOCATIONS_CHANGED, () => void this.load(), { ignoresPayload: true });
  }

  /** True if any project is stored elsewhere; otherwise callers can skip all checks. */
  get hasForeign(): boolean {
    return this.regions.size > 0;
  }

  /** Returns null for a project of this deployment. */
  foreign(projectId: string): ForeignRegion | null {
    const region = this.regions.get(projectId);
    if (region === undefined) return null;
    const address = this.config.regionUrls?.get(region);
    return { region, apiUrl: address?.apiUrl ?? null, appUrl: address?.appUrl ?? null };
  }

  /**
   * For work claimed in an earlier transaction. Runs no query unless regions are enforced.
   *
   * @throws ApiError 503
   */
  async assertStillHere(tx: Transaction, projectId: string): Promise<void> {
    if (this.config.regionUrls === null) return;
    if (!(await this.repository.isHere(tx, projectId))) throw isElsewhere();
  }

  /** Records that this deployment now stores the project. Returns false if it already did. */
  async moveHere(tx: Transaction, projectId: string): Promise<boolean> {
    const wasAway = await this.repository.remove(tx, projectId);
    if (wasAway) await tx.notify(LOCATIONS_CHANGED, projectId);
    return wasAway;
  }

  /**
   * Replaces the table with the result of `wanted`, which runs once no other transaction can write the table. Returns
   * the projects that moved.
   */
  async replaceAll(
    tx: Transaction,
    wanted: () => Promise<ReadonlyMap<string, Region>>,
    nowMs: number,
  ): Promise<string[]> {
    await this.repository.lock(tx);
    const next = await wanted();
    const present = new Map((await this.repository.all(tx)).map((row) => [row.projectId, row.region]));
    const moved: string[] = [];
    for (const [projectId, region] of next) {
      if (present.get(projectId) === region) continue;
      await this.repository.save(tx, { projectId, region, changedAt: new Date(nowMs) });
      await tx.notify(LOCATIONS_CHANGED, projectId);
      moved.push(projectId);
    }
    for (const projectId of present.keys()) {
      if (next.has(projectId)) continue;
      await this.moveHere(tx, projectId);
      moved.push(projectId);
    }
    return moved;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.load();
    this.timer = setInterval(() => {
      if (!this.listener.connected) void this.load();
    }, UNHEARD_MS).unref();
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** Keeps the last known state if the table cannot be read. */
  private async load(): Promise<void> {
    try {
      const rows = await this.repository.all();
      this.regions = new Map(rows.map(({ projectId, region }) => [projectId, region]));
    } catch (error) {
      this.log.error({ err: error }, 'the projects of other regions could not be read');
    }
  }
}
