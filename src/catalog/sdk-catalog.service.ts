import { Inject, Injectable } from '@nestjs/common';
import type { PublicKeyPrincipal, SecretKeyPrincipal } from '../auth/principal.js';
import { sdkEtag } from '../http/sdk-answer.js';
import type { Catalog } from './catalog.model.js';
import { CatalogService } from './catalog.service.js';
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

  constructor(@Inject(CatalogService) private readonly catalogs: CatalogService) {}

  async offerings(client: SdkClient): Promise<SdkText> {
    const catalog = await this.catalogs.get(client.principal.projectId);
    const appId = this.appId(catalog, client);
    const oldAndroidSdk =
      client.platform?.toLowerCase() === 'android' && Number.parseInt(client.sdkVersion ?? '', 10) < 6;
    const texts = this.offeringTexts.get(catalog) ?? new Map<string, SdkText>();
    this.offeringTexts.set(catalog, texts);
    const key = `${appId}/${oldAndroidSdk}`;
    const answer = texts.get(key) ?? text(appId, presentSdkOfferings(catalog, appId, oldAndroidSdk));
    texts.set(key, answer);
    return answer;
  }

  async webProducts(client: SdkClient, storeIdentifiers: string[]): Promise<SdkText> {
    const catalog = await this.catalogs.get(client.principal.projectId);
    const appId = this.appId(catalog, client);
    return text(appId, presentWebProducts(catalog, appId, storeIdentifiers));
  }

  private appId(catalog: Catalog, { principal, platform }: SdkClient): string {
    return principal.kind === 'public_key' ? principal.appId : appForPlatform(catalog, platform).id;
  }
}
