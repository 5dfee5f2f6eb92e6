import type { Package } from '../catalog.types.js';

export function movedTo<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = items.filter((_, index) => index !== from);
  return [...rest.slice(0, to), items[from]!, ...rest.slice(to)];
}

/**
 * Returns the positions that change when a package moves. Renumbers positions that do not increase, which scripts may
 * set.
 */
export function placesAfter(
  packages: readonly Pick<Package, 'id' | 'position'>[],
  from: number,
  to: number,
): Pick<Package, 'id' | 'position'>[] {
  const rises = packages.every(
    ({ position }, index) => index === 0 || position > packages[index - 1]!.position,
  );
  return movedTo(packages, from, to)
    .map(({ id }, index) => ({ id, position: rises ? packages[index]!.position : index }))
    .filter(({ id, position }) => packages.find((each) => each.id === id)?.position !== position);
}
