import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../libs/kernel/index.js';
import {
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
    const parts = uiConfig({ colors: {}, fonts: {}, customVariables: {} }, locales);
    const refs: Partial<UiConfigRefs> = {};
    for (const item of uiConfigItems) {
      refs[item] = (await this.blobs.storeJson(tx, projectId, parts[item], now)).ref;
    }
    const before = await this.settings.uiConfigRefs(tx, projectId);
    const inUse = new Set(Object.values(refs));
    const unused = Object.values(before ?? {}).filter((ref) => !inUse.has(ref));
    await this.settings.saveUiConfigRefs(tx, projectId, refs as UiConfigRefs, now);
    await this.blobs.markUnused(tx, projectId, unused, now);
  }
}
