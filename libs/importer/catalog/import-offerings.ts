import type { SourceOffering, SourcePackage, SourcePackageProduct } from '../source/source.model.js';
import type { TargetOffering, TargetPackage, TargetPackageProduct } from '../target/target.model.js';
import { type CatalogRun, changeHere, createHere, isArchived, isPlaceholder } from './catalog-run.js';

type FullPackage = SourcePackage & { products: SourcePackageProduct[] };
type FullOffering = SourceOffering & { packages: FullPackage[] };

const ATTACHED_AT_ONCE = 50;

/** Returns the lookup keys of offerings by their id at the source. */
export async function importOfferings(run: CatalogRun): Promise<Map<string, string>> {
  // A project's first offering becomes current automatically.
  const offerings = (await run.source.offerings(run.project)).sort(
    (a, b) => Number(b.is_current) - Number(a.is_current),
  );
  const list = () => run.target.configured<TargetOffering>('offerings');
  const existing = await list();
  for (const offering of offerings) await importOffering(run, offering, existing, list);
  const current = offerings.find((offering) => offering.is_current);
  const id = current && run.maps.offerings[current.id];
  const hasCurrent = (run.dryRun ? existing : await list()).some((offering) => offering.is_current);
  if (id !== undefined && !hasCurrent) {
    await changeHere(run, 'offerings', current?.id ?? '', `offerings/${id}`, { is_current: true });
  }
  return new Map(offerings.map(({ id: source, lookup_key: key }) => [source, key]));
}

async function importOffering(
  run: CatalogRun,
  offering: FullOffering,
  existing: readonly TargetOffering[],
  list: () => Promise<TargetOffering[]>,
): Promise<void> {
  const { id, lookup_key, display_name } = offering;
  const metadata = isEmpty(offering.metadata) ? undefined : offering.metadata;
  const match = existing.find((other) => other.lookup_key === lookup_key);
  if (match) run.counts.offerings.matched += 1;
  const here =
    match?.id ??
    (await createHere(
      run,
      'offerings',
      {
        id,
        path: 'offerings',
        body: { lookup_key, display_name, metadata },
        isArchived: isArchived(offering),
      },
      async () => (await list()).find((other) => other.lookup_key === lookup_key)?.id ?? null,
    ));
  if (here === null) {
    delete run.maps.offerings[id];
    return;
  }
  run.maps.offerings[id] = here;
  if (match && metadata !== undefined && isEmpty(match.metadata)) {
    if (await changeHere(run, 'offerings', id, `offerings/${here}`, { metadata }))
      run.counts.offerings.updated += 1;
  }
  await importPackages(run, here, offering.packages);
}

function isEmpty(metadata: Record<string, unknown> | null | undefined): boolean {
  return !metadata || Object.keys(metadata).length === 0;
}

async function importPackages(run: CatalogRun, offering: string, packages: FullPackage[]): Promise<void> {
  const path = `offerings/${offering}/packages`;
  const byKey = async () =>
    new Map(
      isPlaceholder(offering)
        ? []
        : (await run.target.configured<TargetPackage>(path)).map((item) => [item.lookup_key, item.id]),
    );
  const existing = packages.length > 0 ? await byKey() : new Map<string, string>();
  for (const item of packages) {
    const { id, lookup_key, display_name, position } = item;
    const match = existing.get(lookup_key);
    if (match !== undefined) run.counts.packages.matched += 1;
    const body = { lookup_key, display_name, ...(typeof position === 'number' ? { position } : {}) };
    const here =
      match ??
      (await createHere(
        run,
        'packages',
        { id, path, body },
        async () => (await byKey()).get(lookup_key) ?? null,
      ));
    if (here === null) {
      delete run.maps.packages[id];
      continue;
    }
    run.maps.packages[id] = here;
    await attachProducts(run, item, here, match !== undefined);
  }
}

async function attachProducts(
  run: CatalogRun,
  item: FullPackage,
  here: string,
  isMatch: boolean,
): Promise<void> {
  const path = `packages/${here}`;
  const wanted = item.products.flatMap(({ product, eligibility_criteria }) => {
    const id = run.maps.products[product.id];
    return id === undefined ? [] : [{ product_id: id, eligibility_criteria }];
  });
  if (wanted.length === 0) return;
  const attached = isMatch
    ? new Set(
        (await run.target.configured<TargetPackageProduct>(`${path}/products`)).map(
          ({ product }) => product.id,
        ),
      )
    : new Set<string>();
  const missing = wanted.filter(({ product_id }) => !attached.has(product_id));
  let changed = false;
  for (let start = 0; start < missing.length; start += ATTACHED_AT_ONCE) {
    const body = { products: missing.slice(start, start + ATTACHED_AT_ONCE) };
    changed =
      (await changeHere(run, 'packages', item.id, `${path}/actions/attach_products`, body)) || changed;
  }
  if (changed && isMatch) run.counts.packages.updated += 1;
}
