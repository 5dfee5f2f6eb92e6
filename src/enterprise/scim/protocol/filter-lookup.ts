import type { AttributePath } from './attribute-path.js';
import type { Filter } from './filter.js';

/** An index that finds all resources a filter can match. */
export interface Lookup {
  by: 'id' | 'userName' | 'externalId' | 'displayName' | 'email' | 'member';
  value: string;
}

const indexes: Record<string, Lookup['by'] | undefined> = {
  id: 'id',
  userName: 'userName',
  externalId: 'externalId',
  displayName: 'displayName',
  emails: 'email',
  'emails.value': 'email',
  members: 'member',
  'members.value': 'member',
};

/** Best first: indexes that find one row. */
const order: Lookup['by'][] = ['id', 'userName', 'externalId', 'email', 'displayName', 'member'];

function indexOf({ extension, name, sub }: AttributePath): Lookup['by'] | undefined {
  if (extension !== null || name === null) return undefined;
  return indexes[sub === null ? name : `${name}.${sub}`];
}

/** Conditions that must hold for the whole filter to match. */
function necessary(filter: Filter): Filter[] {
  if (filter.kind === 'and') return filter.parts.flatMap(necessary);
  return filter.kind === 'element' ? necessary(filter.filter) : [filter];
}

/** Returns null if every resource must be read. The caller must still filter the rows that the lookup finds. */
export function lookupOf(filter: Filter, available: readonly Lookup['by'][]): Lookup | null {
  const lookups = necessary(filter).flatMap((part): Lookup[] => {
    if (part.kind !== 'compare' || part.operator !== 'eq' || typeof part.value !== 'string') return [];
    const by = part.path && indexOf(part.path);
    return by && available.includes(by) ? [{ by, value: part.value }] : [];
  });
  return lookups.sort((a, b) => order.indexOf(a.by) - order.indexOf(b.by))[0] ?? null;
}

/** Whether a filter uses an attribute that is read only on demand. */
export function asksFor(filter: Filter, name: string): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.some((part) => asksFor(part, name));
    case 'not':
      return asksFor(filter.part, name);
    case 'element':
    case 'present':
    case 'compare':
      return filter.path?.extension === null && filter.path.name === name;
  }
}
