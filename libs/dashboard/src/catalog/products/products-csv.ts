import { saveListAsCsv } from '../../frame/jobs/list-csv.js';
import { isoTime } from '../../ui/format/csv.js';
import type { Product } from '../catalog.types.js';
import { productsPage } from './products.queries.js';

/** Saves all products of an app, or of all, archived ones included. */
export function saveProducts(projectId: string, appId: string | undefined): void {
  saveListAsCsv<Product>({
    name: 'products',
    header: ['id', 'store_identifier', 'name', 'app_id', 'type', 'duration', 'state', 'created_at'],
    row: (product) => [
      product.id,
      product.store_identifier,
      product.display_name,
      product.app_id,
      product.type,
      product.subscription?.duration,
      product.state,
      isoTime(product.created_at),
    ],
    page: productsPage(projectId, appId),
  });
}
