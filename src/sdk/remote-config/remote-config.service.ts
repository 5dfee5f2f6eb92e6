import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  type BlobEncoding,
  blobsUrl,
  configContainer,
  type ContainerElement,
  emptyRemoteConfig,
  encodedElement,
  inlineRefs,
  remoteConfig,
  type RemoteConfig,
} from '../../../libs/paywalls/index.js';
import { ContentBlobsService } from '../../catalog/blobs/content-blobs.service.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { Config } from '../../platform/config/config.js';
import type { SdkPrincipal } from '../../platform/principal/principal.js';
import { workflowsOf } from './remote-config.policy.js';

/** Bytes of compressed elements that a process keeps. */
const MAX_BYTES = 16 * 2 ** 20;

export interface ConfigAnswer {
  body: Buffer;
  signed: Buffer;
}

/** Remote configuration with the published paywalls of a project, prepared once for each version of its catalog. */
@Injectable()
export class RemoteConfigService {
  private readonly configs = new WeakMap<Catalog, RemoteConfig>();
  private readonly elements = new LRUCache<string, ContainerElement>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ length }) => length,
  });

  constructor(
    private readonly catalogs: CatalogService,
    private readonly blobs: ContentBlobsService,
    private readonly config: Config,
  ) {}

  /** Returns null if the SDK already has the configuration. @throws ApiError 401 for the key of a deleted app */
  async answer(
    principal: SdkPrincipal,
    { manifest, prefetched_blobs: prefetched }: Record<string, unknown>,
    encoding: BlobEncoding,
  ): Promise<ConfigAnswer | null> {
    const { projectId } = principal;
    const catalog =
      principal.kind === 'secret_key'
        ? await this.catalogs.get(projectId)
        : (await this.catalogs.ofApp(projectId, principal.appId)).catalog;
    const config = this.configOf(catalog);
    if (manifest === config.manifest) return null;
    const elements = await this.inlined(projectId, config, prefetched, encoding);
    return { body: configContainer(config, elements), signed: config.payload };
  }

  private configOf(catalog: Catalog): RemoteConfig {
    const known = this.configs.get(catalog);
    if (known) return known;
    const { projectId, uiConfigRefs: uiConfig } = catalog;
    const config =
      uiConfig === null
        ? emptyRemoteConfig
        : remoteConfig({
            blobsUrl: blobsUrl(this.config.baseUrl, projectId),
            uiConfig,
            workflows: workflowsOf(catalog),
          });
    this.configs.set(catalog, config);
    return config;
  }

  /** Content that the SDK lacks, as far as one answer may carry it. */
  private async inlined(
    projectId: string,
    config: RemoteConfig,
    prefetched: unknown,
    encoding: BlobEncoding,
  ): Promise<ContainerElement[]> {
    const found = await Promise.all(
      config.prefetchRefs.map(async (ref) => {
        const blob = await this.blobs.read(projectId, ref);
        return blob ? ([[ref, blob.bytes]] as const) : [];
      }),
    );
    const bytesOf = new Map(found.flat());
    const refs = inlineRefs(config, prefetched, (ref) => bytesOf.get(ref)?.length);
    return Promise.all(refs.map((ref) => this.element(ref, bytesOf.get(ref) ?? Buffer.alloc(0), encoding)));
  }

  /** The ref names the bytes, whatever the project. */
  private async element(ref: string, bytes: Buffer, encoding: BlobEncoding): Promise<ContainerElement> {
    const key = `${encoding}/${ref}`;
    const known = this.elements.get(key);
    if (known) return known;
    const element = await encodedElement(bytes, encoding);
    this.elements.set(key, element);
    return element;
  }
}
