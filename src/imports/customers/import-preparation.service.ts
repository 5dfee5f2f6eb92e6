import { Injectable } from '@nestjs/common';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { Config } from '../../platform/config/config.js';
import type { ImportCustomersDto } from './customer-import.dto.js';
import { assertImportable } from './import-shape.policy.js';
import { ImportResolver, type Resolutions } from './import-resolver.js';

export interface PreparedImport {
  catalog: Catalog;
  resolutions: Resolutions;
  holdDays: number;
  /** Whether to ask stores for keys that the import lacks. */
  asksStores: boolean;
}

/** Prepares an import before its transaction, during which no store is called. */
@Injectable()
export class ImportPreparationService {
  constructor(
    private readonly catalogs: CatalogService,
    private readonly resolver: ImportResolver,
    private readonly config: Config,
  ) {}

  /** @throws ApiError 400 naming the field at fault */
  async prepare(projectId: string, body: ImportCustomersDto, nowMs: number): Promise<PreparedImport> {
    const catalog = await this.catalogs.getCurrent(projectId);
    assertImportable(body, catalog, nowMs);
    const asksStores = body.resolve_store_ids ?? true;
    const emits = body.emit_events ?? false;
    const resolutions: Resolutions = asksStores
      ? await this.resolver.resolve(projectId, body.customers, emits)
      : new Map();
    return { catalog, resolutions, holdDays: this.config.importHoldDays, asksStores };
  }
}
