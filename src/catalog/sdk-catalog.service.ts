import { Inject, Injectable } from '@nestjs/common';
import type { PublicKeyPrincipal, SecretKeyPrincipal } from '../auth/principal.js';
import { sdkEtag } from '../http/sdk-answer.js';
import type { Catalog } from './catalog.model.js';
import { CatalogService } from './catalog.service.js';
import { OfferingOverridesRepository } from './offering-overrides.repository.js';
import { appForPlatform } from './platform.js';
import { presentSdkOfferings } from './sdk-offerings.presenter.js';
import { presentWebProducts } from './web-products.presenter.js';

export interface SdkText {
  body: string;
  etag: string;
}

/** Who asks, and with which client. */
export interface SdkClient {
  principal: PublicKeyPrincipal | SecretKeyPrincipal;
  platform: string | undefined;
  sdkVersion: string | undefined;
}

function text(appId: string, body: object): SdkText {
  const json = JSON.stringify(body);
  return { body: json, etag: sdkEtag(appId, json) };
}

/** Catalog answers for the SDKs, made once for each catalog version and app. */
@Injectable()
export class SdkCatalogService {
  /** Texts live as long as the catalog they were made from. */
  private readonly offeringTexts = new WeakMap<Catalog, Map<string, SdkText>>();

  constructor(
    @Inject(CatalogService) private readonly catalogs: CatalogService,
    @Inject(OfferingOverridesRepository) private readonly overrides: OfferingOverridesRepository,
  ) {}

  async offerings(client: SdkClient, appUserId: string): Promise<SdkText> {
    const catalog = await this.catalogs.get(client.principal.projectId);
    const currentId = await this.overrideOf(catalog, appUserId);
    const appId = this.appId(catalog, client);
    const oldAndroidSdk =
      client.platform?.toLowerCase() === 'android' && Number.parseInt(client.sdkVersion ?? '', 10) < 6;
    const texts = this.offeringTexts.get(catalog) ?? new Map<string, SdkText>();
    this.offeringTexts.set(catalog, texts);
    const key = `${appId}/${oldAndroidSdk}/${currentId}`;
    const answer =
      texts.get(key) ?? text(appId, presentSdkOfferings(catalog, appId, oldAndroidSdk, currentId));
    texts.set(key, answer);
    return answer;
  }

  async webProducts(client: SdkClient, storeIdentifiers: string[]): Promise<SdkText> {
    const catalog = await this.catalogs.get(client.principal.projectId);
    const appId = this.appId(catalog, client);
    return text(appId, presentWebProducts(catalog, appId, storeIdentifiers));
  }

  /** The customer's own current offering. One that was archived or deleted since counts for nothing. */
  private async overrideOf(catalog: Catalog, appUserId: string): Promise<string | null> {
    if (!catalog.hasOfferingOverrides) return null;
    const offeringId = await this.overrides.read(catalog.projectId, appUserId);
    return offeringId !== null && catalog.offerings.get(offeringId)?.active ? offeringId : null;
  }

  private appId(catalog: Catalog, { principal, platform }: SdkClient): string {
    return principal.kind === 'public_key' ? principal.appId : appForPlatform(catalog, platform).id;
  }
}
