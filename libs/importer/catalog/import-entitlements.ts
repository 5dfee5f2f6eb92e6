import type { TargetEntitlement, TargetProduct } from '../target/target.model.js';
import { type CatalogRun, changeHere, createHere, isArchived, isPlaceholder } from './catalog-run.js';

/** Maximum number of products attached in one call. */
const ATTACHED_AT_ONCE = 50;

export async function importEntitlements(run: CatalogRun): Promise<void> {
  const entitlements = await run.source.entitlements(run.project);
  const byKey = async () =>
    new Map(
      (await run.target.configured<TargetEntitlement>('entitlements')).map((item) => [
        item.lookup_key,
        item.id,
      ]),
    );
  const existing = await byKey();
  for (const entitlement of entitlements) {
    const { id, lookup_key, display_name } = entitlement;
    const match = existing.get(lookup_key);
    if (match !== undefined) run.counts.entitlements.matched += 1;
    const here =
      match ??
      (await createHere(
        run,
        'entitlements',
        { id, path: 'entitlements', body: { lookup_key, display_name }, isArchived: isArchived(entitlement) },
        async () => (await byKey()).get(lookup_key) ?? null,
      ));
    if (here === null) {
      delete run.maps.entitlements[id];
      continue;
    }
    run.maps.entitlements[id] = here;
    await attachProducts(
      run,
      id,
      here,
      entitlement.products.map((product) => product.id),
      match !== undefined,
    );
  }
}

/** Attaches missing products and detaches none. */
async function attachProducts(
  run: CatalogRun,
  sourceId: string,
  id: string,
  sourceProducts: string[],
  isMatch: boolean,
): Promise<void> {
  const wanted = sourceProducts.flatMap((product) => run.maps.products[product] ?? []);
  if (wanted.length === 0) return;
  const path = `entitlements/${id}`;
  const attached = isPlaceholder(id)
    ? new Set<string>()
    : new Set((await run.target.configured<TargetProduct>(`${path}/products`)).map((product) => product.id));
  const missing = [...new Set(wanted)].filter((product) => !attached.has(product));
  let changed = false;
  for (let start = 0; start < missing.length; start += ATTACHED_AT_ONCE) {
    const body = { product_ids: missing.slice(start, start + ATTACHED_AT_ONCE) };
    changed =
      (await changeHere(run, 'entitlements', sourceId, `${path}/actions/attach_products`, body)) || changed;
  }
  if (changed && isMatch) run.counts.entitlements.updated += 1;
}
