import type { Catalog } from '../../../catalog/snapshot/catalog.model.js';

/** Segment names that no value may share. */
export const fixedNames = { total: 'Total', other: 'Other', unknown: 'Unknown' } as const;

interface Named {
  id: string;
  /** Ordered shortest first. */
  names: string[];
}

/** Picks the first unique name of each value, because summaries and CSV identify values by name. */
function distinct(values: readonly Named[]): ReadonlyMap<string, string> {
  const uses = new Map<string, number>(Object.values(fixedNames).map((name) => [name, 1]));
  for (const { names } of values) {
    for (const name of new Set(names)) uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  return new Map(values.map(({ id, names }) => [id, names.find((name) => uses.get(name) === 1) ?? id]));
}

/** Names of objects that values of dimensions identify. */
export interface NamedObjects {
  catalog: Catalog;
  /** By id. */
  paywalls: ReadonlyMap<string, string>;
}

/** Returns display names of a dimension's values, by id. Values without an entry are their own names. */
export function valueNames(
  { catalog, paywalls }: NamedObjects,
  dimension: string,
): ReadonlyMap<string, string> {
  if (dimension === 'paywall') {
    return distinct([...paywalls].map(([id, name]) => ({ id, names: [name, `${name} (${id})`] })));
  }
  if (dimension === 'app_id') {
    return distinct(
      [...catalog.apps.values()].map(({ id, name }) => ({ id, names: [name, `${name} (${id})`] })),
    );
  }
  if (dimension !== 'product_id') return new Map();
  return distinct(
    [...catalog.products.values()].map(({ id, appId, displayName, storeIdentifier }) => {
      const name = displayName ?? storeIdentifier;
      const more = [catalog.apps.get(appId)?.name ?? appId, storeIdentifier, id];
      return { id, names: [name, ...more.map((one) => `${name} (${one})`)] };
    }),
  );
}
