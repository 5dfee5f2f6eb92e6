import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../libs/kernel/index.js';
import {
  blobsUrl,
  type PaywallFont,
  toOutput,
  uiConfig,
  uiConfigItems,
  type UiConfigRefs,
  withEnglish,
  workflowOf,
} from '../../../libs/paywalls/index.js';
import { Config } from '../../platform/config/config.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ContentBlobsService } from '../blobs/content-blobs.service.js';
import { MediaAssetsService } from '../media-assets/media-assets.service.js';
import type { SharedSettings } from './paywall-settings.policy.js';
import { PaywallSettingsRepository } from './paywall-settings.repository.js';
import type { Paywall } from './paywall.entity.js';
import { PaywallsRepository } from './paywalls.repository.js';

interface Content {
  document: JsonObject;
  revision: number;
  /** Lookup key. */
  offeringIdentifier: string;
}

type PublishedColumns = Pick<Paywall, 'publishedRef' | 'publishedBytes' | 'publishedBaseUrl'>;

/** Writes what SDKs fetch of published paywalls. Callers have raised the version of the catalog. */
@Injectable()
export class PublishedContentService {
  constructor(
    private readonly repository: PaywallsRepository,
    private readonly settings: PaywallSettingsRepository,
    private readonly blobs: ContentBlobsService,
    private readonly assets: MediaAssetsService,
    private readonly config: Config,
  ) {}

  /** Stores the workflow of a paywall and returns the columns that name it. */
  async writeWorkflow(
    tx: Transaction,
    { projectId, id: paywallId, name, publishedRef }: Paywall,
    { document, revision, offeringIdentifier }: Content,
    now: Date,
  ): Promise<PublishedColumns> {
    const publicUrl = this.config.baseUrl;
    const output = toOutput(document, { paywallId, projectId, revision, publicUrl });
    const workflow = workflowOf(output, { name, offeringIdentifier });
    const { ref, length } = await this.blobs.storeJson(tx, projectId, workflow, now);
    if (publishedRef !== null && publishedRef !== ref)
      await this.blobs.markUnused(tx, projectId, [publishedRef], now);
    return { publishedRef: ref, publishedBytes: length, publishedBaseUrl: publicUrl };
  }

  /** Marks the workflow of a paywall that is no longer published. */
  async dropWorkflow(tx: Transaction, { projectId, publishedRef }: Paywall, now: Date): Promise<void> {
    if (publishedRef !== null) await this.blobs.markUnused(tx, projectId, [publishedRef], now);
  }

  /** Stores the shared configuration, with texts for the languages of all published paywalls. */
  async writeUiConfig(tx: Transaction, projectId: string, now: Date): Promise<void> {
    const locales = withEnglish(await this.repository.publishedLocales(tx, projectId));
    const { uiConfigRefs: before, ...settings } = await this.settings.find(projectId, tx);
    const fonts = await this.fontsOf(tx, projectId, settings.fonts);
    const parts = uiConfig({ ...settings, fonts }, locales);
    const refs: Partial<UiConfigRefs> = {};
    for (const item of uiConfigItems) {
      refs[item] = (await this.blobs.storeJson(tx, projectId, parts[item], now)).ref;
    }
    const inUse = new Set(Object.values(refs));
    const unused = Object.values(before ?? {}).filter((ref) => !inUse.has(ref));
    await this.settings.saveUiConfigRefs(tx, projectId, refs as UiConfigRefs, now);
    await this.blobs.markUnused(tx, projectId, unused, now);
  }

  /** Fonts of the settings with what phones need to load them. */
  private async fontsOf(
    tx: Transaction,
    projectId: string,
    fonts: SharedSettings['fonts'],
  ): Promise<Record<string, PaywallFont>> {
    const ids = Object.values(fonts).map(({ media_asset_id: id }) => id);
    const assets = new Map(
      (await this.assets.findMany(tx, projectId, ids)).map((asset) => [asset.id, asset]),
    );
    const loaded: Record<string, PaywallFont> = {};
    for (const [alias, { media_asset_id: id, family, weight, style }] of Object.entries(fonts)) {
      const { formats, postScriptName, md5 } = assets.get(id) ?? {};
      if (!formats?.original || !postScriptName || !md5) continue;
      const url = `${blobsUrl(this.config.baseUrl, projectId)}/${formats.original}`;
      loaded[alias] = { url, postScriptName, md5, family, weight, style };
    }
    return loaded;
  }
}
