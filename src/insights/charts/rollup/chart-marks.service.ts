import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type CatalogChange, CatalogChanges } from '../../../catalog/shared/catalog-changes.service.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ChartSourceRepository, type ProductMark } from './chart-source.repository.js';

/** Marks what a change of the catalog changes in charts. */
@Injectable()
export class ChartMarksService implements OnModuleInit {
  constructor(
    private readonly source: ChartSourceRepository,
    private readonly catalogChanges: CatalogChanges,
  ) {}

  onModuleInit(): void {
    this.catalogChanges.register((tx, projectId, change) => this.mark(tx, projectId, change));
  }

  private async mark(tx: Transaction, projectId: string, change: CatalogChange): Promise<void> {
    if (change.kind === 'chart_attributes') await this.source.requestRebuild(tx, projectId);
    if (change.kind !== 'products') return;
    const marks = change.products.flatMap(({ before, after }): ProductMark[] => {
      const product = after ?? before;
      const isRenamed = before === null || after === null;
      if (product === null || (!isRenamed && before.duration === after.duration)) return [];
      const { id: productId, appId, storeIdentifier } = product;
      return [{ appId, productId, storeIdentifier, isRenamed }];
    });
    if (marks.length > 0) await this.source.markProducts(tx, projectId, marks);
  }
}
