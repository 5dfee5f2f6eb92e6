/** What a key may do in one area: nothing, read, or read and write. */
export type Level = 'none' | 'read' | 'read_write';

export interface Area {
  /** `project_configuration:apps` */
  name: string;
  group: string;
  label: string;
  /** What the person may give away. */
  levels: Level[];
}

const words = (name: string): string => {
  const text = name.replaceAll('_', ' ').replace(/\bapi\b/, 'API');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The areas of the permissions that the person holds: the most they can give. */
export function areasOf(held: readonly string[]): Area[] {
  const areas = new Map<string, Area>();
  for (const permission of held) {
    const [group = '', area = '', level = ''] = permission.split(':');
    const name = `${group}:${area}`;
    const known = areas.get(name) ?? { name, group: words(group), label: words(area), levels: ['none'] };
    known.levels.push(level as Level);
    areas.set(name, known);
  }
  return [...areas.values()];
}

/** The permissions of a key, as `createApiKey` takes them. */
export const permissionsOf = (chosen: Readonly<Record<string, Level>>): string[] =>
  Object.entries(chosen)
    .filter(([, level]) => level !== 'none')
    .map(([area, level]) => `${area}:${level}`);

/** `level` in every area, or the most below it that the person holds. */
export function everywhere(areas: readonly Area[], level: Level): Record<string, Level> {
  return Object.fromEntries(
    areas.map(({ name, levels }) => [name, levels.includes(level) ? level : (levels.at(-1) ?? 'none')]),
  );
}

/** The permissions of `known` that `<group>:*`, `<group>:*:read` or `<group>:*:read_write` stands for; others as they are. */
function meant(permission: string, known: readonly string[]): readonly string[] {
  const [group, area, level] = permission.split(':');
  if (area !== '*') return [permission];
  return known.filter(
    (name) => name.startsWith(`${group}:`) && (level === undefined || name.endsWith(`:${level}`)),
  );
}

/** What a key may do, in a few words: `12 areas, 3 of them read only`. */
export function summaryOf(permissions: readonly string[], known: readonly string[]): string {
  if (permissions.includes('*')) return 'Everything';
  const names = [...new Set(permissions.flatMap((permission) => meant(permission, known)))];
  const writable = names
    .filter((name) => name.endsWith(':read_write'))
    .map((name) => name.replace(/_write$/, ''));
  const readable = names.filter((name) => name.endsWith(':read') && !writable.includes(name));
  const count = writable.length + readable.length;
  const areas = count === 1 ? '1 area' : `${count} areas`;
  if (readable.length === 0) return `${areas}, read and write`;
  if (writable.length === 0) return `${areas}, read only`;
  return `${areas}, ${readable.length} of them read only`;
}
