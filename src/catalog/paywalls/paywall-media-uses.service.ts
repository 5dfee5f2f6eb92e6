import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import { MediaAssetUses } from '../shared/media-asset-uses.js';
import { PaywallSettingsRepository } from './paywall-settings.repository.js';
import { PaywallsRepository } from './paywalls.repository.js';

export function listed(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}

@Injectable()
export class PaywallMediaUsesService extends MediaAssetUses {
  constructor(
    private readonly paywalls: PaywallsRepository,
    private readonly settings: PaywallSettingsRepository,
  ) {
    super();
  }

  async find(
    tx: Transaction,
    projectId: string,
    assetId: string,
    refs: readonly string[],
  ): Promise<string | null> {
    const { fonts } = await this.settings.find(projectId, tx);
    const aliases = Object.keys(fonts).filter((alias) => fonts[alias]?.media_asset_id === assetId);
    if (aliases.length > 0) return `The settings of paywalls name the font: ${listed(aliases)}`;
    const names = await this.paywalls.namesWithBlob(tx, projectId, refs);
    return names.length > 0 ? `Paywalls show the image: ${listed(names)}` : null;
  }
}
