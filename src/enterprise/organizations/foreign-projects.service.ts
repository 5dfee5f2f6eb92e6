import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataLocation, type ForeignRegion } from '../../platform/auth/data-location.js';
import { Config } from '../../platform/config/config.js';
import type { Region } from '../../platform/config/enterprise-settings.js';
import { NotificationListenerService } from '../../platform/database/notification-listener.service.js';
import { LogService } from '../../platform/observability/log.service.js';
import { ForeignProjectsRepository } from './foreign-projects.repository.js';

/** A project's region has changed, or it left or joined an organization. */
export const REGIONS_CHANGED = 'organization_regions_changed';

/** Where regions are enforced: the projects of other regions, in memory, because every request is asked about. */
@Injectable()
export class ForeignProjectsService extends DataLocation implements OnModuleInit {
  private regions: ReadonlyMap<string, Region> = new Map();

  constructor(
    private readonly repository: ForeignProjectsRepository,
    private readonly config: Config,
    private readonly listener: NotificationListenerService,
    private readonly log: LogService,
  ) {
    super();
  }

  get hasForeign(): boolean {
    return this.regions.size > 0;
  }

  foreign(projectId: string): ForeignRegion | null {
    const region = this.regions.get(projectId);
    if (region === undefined) return null;
    const address = this.config.regionUrls?.get(region);
    return { region, apiUrl: address?.apiUrl ?? null, appUrl: address?.appUrl ?? null };
  }

  async onModuleInit(): Promise<void> {
    if (this.config.regionUrls === null) return;
    this.listener.on(REGIONS_CHANGED, () => void this.load());
    await this.load();
  }

  private async load(): Promise<void> {
    try {
      const rows = await this.repository.elsewhere(this.config.region);
      this.regions = new Map(rows.map(({ projectId, region }) => [projectId, region]));
    } catch (error) {
      this.log.error({ err: error }, 'the projects of other regions could not be read');
    }
  }
}
