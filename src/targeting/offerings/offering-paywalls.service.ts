import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../libs/kernel/index.js';
import {
  type PaywallDocument,
  uiConfigItems,
  type UiConfigRefs,
  webDocument,
  withWebLocales,
} from '../../../libs/paywalls/index.js';
import { ContentBlobsService } from '../../catalog/blobs/content-blobs.service.js';
import type { Catalog, CatalogPaywall } from '../../catalog/snapshot/catalog.model.js';
import type { PaywallForm } from './paywall-form.policy.js';

/** Paywalls as offerings carry them. */
export interface RenderedPaywalls {
  /** Documents by offering id. */
  documents: ReadonlyMap<string, PaywallDocument>;
  uiConfig: JsonObject;
}

interface Workflow {
  screens: Record<string, JsonObject>;
}

/** Keys of a screen that are not part of the document. */
const onlyInWorkflows: ReadonlySet<string> = new Set(['name', 'offering_identifier', 'config']);

/** Reads published paywalls for SDKs that get them with the offerings. */
@Injectable()
export class OfferingPaywallsService {
  constructor(private readonly blobs: ContentBlobsService) {}

  async render(catalog: Catalog, refs: UiConfigRefs, form: PaywallForm): Promise<RenderedPaywalls> {
    const tag = form.kind === 'web' ? form.tag : null;
    const documents = await Promise.all(
      catalog.servedPaywalls.map(async (paywall) => {
        const document = await this.documentOf(catalog.projectId, paywall);
        return [paywall.offeringId, form.kind === 'web' ? webDocument(document, tag) : document] as const;
      }),
    );
    const parts = await Promise.all(
      uiConfigItems.map(async (item) => [item, await this.json(catalog.projectId, refs[item])] as const),
    );
    const uiConfig = Object.fromEntries(parts);
    if (form.kind === 'web')
      uiConfig.localizations = withWebLocales(uiConfig.localizations as JsonObject, tag);
    return { documents: new Map(documents), uiConfig };
  }

  /** The screen of the workflow, without what only workflows have. */
  private async documentOf(projectId: string, { id, ref }: CatalogPaywall): Promise<PaywallDocument> {
    const { screens } = (await this.json(projectId, ref)) as unknown as Workflow;
    const entries = Object.entries(screens[id] ?? {}).filter(([key]) => !onlyInWorkflows.has(key));
    return { id, ...Object.fromEntries(entries) } as unknown as PaywallDocument;
  }

  private async json(projectId: string, ref: string): Promise<JsonObject> {
    const blob = await this.blobs.read(projectId, ref);
    if (blob === null) throw new Error(`The project ${projectId} has no content ${ref}`);
    return JSON.parse(blob.bytes.toString()) as JsonObject;
  }
}
