import type { SourceApp, SourceProduct } from '../source/source.model.js';
import type { TargetProduct } from '../target/target.model.js';
import { type CatalogRun, changeHere, createHere, isArchived } from './catalog-run.js';

/** The source's products by their id there. */
export type SourceProducts = Map<string, SourceProduct>;

function keyOf(appId: string, storeIdentifier: string): string {
  return `${appId}\n${storeIdentifier}`;
}

/** Trial and grace are defined by the store; only the test store accepts them here. */
function creation(product: SourceProduct, appId: string, isTestStore: boolean): object {
  const { store_identifier, type, display_name, subscription } = product;
  const { duration, trial_duration, grace_period_duration } = subscription ?? {};
  const durations = isTestStore ? { duration, trial_duration, grace_period_duration } : { duration };
  const known = Object.entries(durations).filter(([, value]) => typeof value === 'string');
  return {
    store_identifier,
    app_id: appId,
    type,
    ...(display_name ? { display_name } : {}),
    ...(type === 'subscription' && known.length > 0 ? { subscription: Object.fromEntries(known) } : {}),
  };
}

export async function importProducts(run: CatalogRun, apps: readonly SourceApp[]): Promise<SourceProducts> {
  const testStores = new Set(apps.filter(({ type }) => type === 'test_store').map(({ id }) => id));
  const products = await run.source.products(run.project);
  const byKey = async () =>
    new Map(
      (await run.target.configured<TargetProduct>('products')).map((product) => [
        keyOf(product.app_id, product.store_identifier),
        product,
      ]),
    );
  const existing = await byKey();
  for (const product of products) {
    const appId = run.maps.apps[product.app_id];
    if (appId === undefined) {
      run.skip({ kind: 'products', id: product.id, reason: 'its app was not created' });
      continue;
    }
    const key = keyOf(appId, product.store_identifier);
    const match = existing.get(key);
    if (match) await matched(run, product, match);
    const id =
      match?.id ??
      (await createHere(
        run,
        'products',
        {
          id: product.id,
          path: 'products',
          body: creation(product, appId, testStores.has(product.app_id)),
          isArchived: isArchived(product),
        },
        async () => (await byKey()).get(key)?.id ?? null,
      ));
    if (id === null) delete run.maps.products[product.id];
    else run.maps.products[product.id] = id;
  }
  return new Map(products.map((product) => [product.id, product]));
}

/** A match stays unchanged, except that a missing duration is added. */
async function matched(run: CatalogRun, product: SourceProduct, match: TargetProduct): Promise<void> {
  run.counts.products.matched += 1;
  const duration = product.subscription?.duration;
  if (!duration || match.type !== 'subscription' || match.subscription?.duration) return;
  const body = { subscription: { duration } };
  if (await changeHere(run, 'products', product.id, `products/${match.id}`, body)) {
    run.counts.products.updated += 1;
  }
}
