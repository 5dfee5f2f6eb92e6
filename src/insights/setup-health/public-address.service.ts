import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { Config } from '../../platform/config/config.js';

const localHost = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Checks the address from which phones load the content of paywalls. */
@Injectable()
export class PublicAddressService {
  constructor(
    private readonly catalogs: CatalogService,
    private readonly config: Config,
  ) {}

  /** Returns the address if published paywalls name it and no phone reaches it; otherwise null. */
  async unreachable(projectId: string): Promise<string | null> {
    const { baseUrl } = this.config;
    if (!localHost.test(new URL(baseUrl).hostname)) return null;
    const { servedPaywalls } = await this.catalogs.get(projectId);
    return servedPaywalls.length === 0 ? null : baseUrl;
  }
}
