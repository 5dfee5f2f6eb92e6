import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CATALOG_CHANGED } from '../../catalog/shared/catalog-version.js';
import { keysChanged } from '../../platform/auth/keys/key-cache.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { type Region, regions } from '../../platform/config/enterprise-settings.js';
import { DataLocationService } from '../../platform/data-location/data-location.service.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { OrganizationProjectsRepository } from './organization-projects.repository.js';

export const regionNames: Record<Region, string> = { us: 'United States', eu: 'European Union' };

/** The regions available on this deployment, and the projects stored on other deployments. */
@Injectable()
export class RegionsService implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly projects: OrganizationProjectsRepository,
    private readonly locations: DataLocationService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Whether data of other regions is rejected here; otherwise regions are only recorded. */
  get areEnforced(): boolean {
    return this.config.regionUrls !== null;
  }

  /** The region of this deployment. */
  get own(): Region {
    return this.config.region;
  }

  get selectable(): Region[] {
    return this.areEnforced ? [this.own] : [...regions];
  }

  /** @throws ApiError 400 */
  assertSelectable(region: Region): void {
    if (this.selectable.includes(region)) return;
    throw ApiError.parameter('region', `region must be one of ${this.selectable.join(', ')} on this server.`);
  }

  /** Projects that join or leave an organization are stored on this deployment. */
  async recordHere(tx: Transaction, projectId: string): Promise<void> {
    if (await this.locations.moveHere(tx, projectId)) await this.dropCaches(tx, projectId);
  }

  /** Updates the locations after a configuration change, before requests and jobs use them. */
  async onModuleInit(): Promise<void> {
    await this.database.transaction(async (tx) => {
      const elsewhere = () =>
        this.areEnforced ? this.projects.elsewhere(tx, this.own) : Promise.resolve(new Map<string, Region>());
      const moved = await this.locations.replaceAll(tx, elsewhere, this.clock.nowMs());
      for (const projectId of moved) await this.dropCaches(tx, projectId);
    });
  }

  private async dropCaches(tx: Transaction, projectId: string): Promise<void> {
    await keysChanged(tx, projectId);
    await tx.notify(CATALOG_CHANGED, projectId);
  }
}
