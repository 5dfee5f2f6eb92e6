import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { type Region, regions } from '../../platform/config/enterprise-settings.js';
import { ApiError } from '../../platform/http/api-error.js';

export const regionNames: Record<Region, string> = { us: 'United States', eu: 'European Union' };

/** Which regions can be chosen on this deployment. */
@Injectable()
export class RegionsService {
  constructor(private readonly config: Config) {}

  /** Whether data of other regions is refused here; otherwise regions are only recorded. */
  get areEnforced(): boolean {
    return this.config.regionUrls !== null;
  }

  /** Of this deployment. */
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
}
