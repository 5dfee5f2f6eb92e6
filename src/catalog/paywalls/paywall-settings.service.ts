import { Injectable } from '@nestjs/common';
import { auditChanges } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { MediaAssetsService } from '../media-assets/media-assets.service.js';
import { bumpCatalogVersion } from '../shared/catalog-version.js';
import { listed } from './paywall-media-uses.service.js';
import { changedSettings, type SettingsChanges, type SharedSettings } from './paywall-settings.policy.js';
import { PaywallSettingsRepository } from './paywall-settings.repository.js';
import { type NamedSetting, PaywallsRepository } from './paywalls.repository.js';
import { PublishedContentService } from './published-content.service.js';

/** Colors, fonts and variables that all paywalls of a project share. */
@Injectable()
export class PaywallSettingsService {
  constructor(
    private readonly repository: PaywallSettingsRepository,
    private readonly paywalls: PaywallsRepository,
    private readonly content: PublishedContentService,
    private readonly assets: MediaAssetsService,
    private readonly writes: ProjectWritesService,
  ) {}

  get(projectId: string): Promise<SharedSettings> {
    return this.repository.find(projectId);
  }

  /**
   * Replaces the given fields, for published paywalls at once.
   * @throws ApiError 400, 404 for an unknown font, 409 for a removed color, font or variable that paywalls have
   */
  update(write: ProjectWrite, changes: SettingsChanges): Promise<SharedSettings> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const { uiConfigRefs, ...present } = await this.repository.find(projectId, tx);
      const next = changedSettings(present, changes);
      const changed = auditChanges<SharedSettings>(present, next, ['colors', 'fonts', 'customVariables']);
      await this.assertFonts(tx, next.fonts);
      await this.assertUnused(tx, 'color', present.colors, next.colors);
      await this.assertUnused(tx, 'font', present.fonts, next.fonts);
      await this.assertUnused(tx, 'variable', present.customVariables, next.customVariables);
      if (changed.changed_fields.length > 0) {
        const now = new Date(tx.nowMs());
        await this.repository.save(tx, projectId, next, now);
        if (uiConfigRefs !== null) await this.content.writeUiConfig(tx, projectId, now);
      }
      await tx.audit({ action: 'updated', target: 'paywall_settings', targetId: projectId, data: changed });
      return next;
    });
  }

  /** @throws ApiError 404, 400 for an image */
  private async assertFonts(tx: WriteTransaction, fonts: SharedSettings['fonts']): Promise<void> {
    const ids = Object.values(fonts).map(({ media_asset_id: id }) => id);
    const assets = await this.assets.findMany(tx, tx.write.projectId, ids);
    for (const id of ids) {
      const asset = assets.find((known) => known.id === id);
      if (!asset) throw ApiError.missing('media asset', id, 'fonts');
      if (asset.postScriptName === null)
        throw ApiError.parameter('fonts', `The media asset ${id} is an image, not a font.`);
    }
  }

  /** @throws ApiError 409 */
  private async assertUnused(
    tx: WriteTransaction,
    setting: NamedSetting,
    present: object,
    next: object,
  ): Promise<void> {
    const removed = Object.keys(present).filter((name) => !(name in next));
    if (removed.length === 0) return;
    const names = await this.paywalls.namesWithSetting(tx, tx.write.projectId, setting, removed);
    if (names.length > 0)
      throw new ApiError(
        'conflict',
        `Paywalls have a ${setting} that would be removed (${listed(removed)}): ${listed(names)}.`,
      );
  }
}
