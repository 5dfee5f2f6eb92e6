/** What is allowed in one area: nothing, read, or read and write. */
export type Level = 'none' | 'read' | 'read_write';

export interface PermissionArea {
  /** `project_configuration:apps` */
  name: string;
  group: string;
  label: string;
  /** What can be chosen. */
  levels: Level[];
}

const levelOf = (permission: string): Level => permission.slice(permission.lastIndexOf(':') + 1) as Level;
const areaOf = (permission: string): string => permission.slice(0, permission.lastIndexOf(':'));

/** `api_keys` in words: `API keys`. */
export function permissionWords(name: string): string {
  const text = name.replaceAll('_', ' ').replace(/\bapi\b/, 'API');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The areas of some permissions, in their order, with the levels that they have there. */
export function areasWith(permissions: readonly { permission: string; group: string }[]): PermissionArea[] {
  const areas = new Map<string, PermissionArea>();
  for (const { permission, group } of permissions) {
    const name = areaOf(permission);
    const label = permissionWords(name.slice(name.lastIndexOf(':') + 1));
    const known = areas.get(name) ?? { name, group, label, levels: ['none'] };
    known.levels.push(levelOf(permission));
    areas.set(name, known);
  }
  return [...areas.values()];
}

/** The level in each area that `permissions` give; to write implies to read. */
export function levelsOf(permissions: readonly string[]): Record<string, Level> {
  const chosen: Record<string, Level> = {};
  for (const permission of permissions) {
    const area = areaOf(permission);
    if (chosen[area] !== 'read_write') chosen[area] = levelOf(permission);
  }
  return chosen;
}

/** The permissions that stand for the levels, as the API takes them. */
export const permissionsOf = (chosen: Readonly<Record<string, Level>>): string[] =>
  Object.entries(chosen)
    .filter(([, level]) => level !== 'none')
    .map(([area, level]) => `${area}:${level}`);

/** `level` in every area, or the most below it that there is. */
export const everywhere = (areas: readonly PermissionArea[], level: Level): Record<string, Level> =>
  Object.fromEntries(
    areas.map(({ name, levels }) => [name, levels.includes(level) ? level : (levels.at(-1) ?? 'none')]),
  );
