import { Injectable } from '@nestjs/common';
import { PaywallsService } from '../../../catalog/paywalls/paywalls.service.js';
import { CatalogService } from '../../../catalog/snapshot/catalog.service.js';
import type { NamedObjects } from './value-names.js';

@Injectable()
export class NamedObjectsService {
  constructor(
    private readonly catalogs: CatalogService,
    private readonly paywalls: PaywallsService,
  ) {}

  /** Reads the names of paywalls only for a dimension of them. */
  async of(projectId: string, dimensions: readonly string[]): Promise<NamedObjects> {
    const paywalls = dimensions.includes('paywall') ? await this.paywalls.names(projectId) : new Map();
    return { catalog: await this.catalogs.get(projectId), paywalls };
  }
}
