/** Access to one area: none, read, or read and write. */
export type Level = 'none' | 'read' | 'read_write';

export interface PermissionArea {
  /** Such as `project_configuration:apps`. */
  name: string;
  group: string;
  label: string;
  /** The available levels. */
  levels: Level[];
}

const levelOf = (permission: string): Level => permission.slice(permission.lastIndexOf(':') + 1) as Level;
const areaOf = (permission: string): string => permission.slice(0, permission.lastIndexOf(':'));

/** Formats `api_keys` as `API keys`. */
export function permissionWords(name: string): string {
  const text = name.replaceAll('_', ' ').replace(/\bapi\b/, 'API');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the areas of the permissions, in order, with the available levels. */
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

/** Returns the level of `permissions` in each area. Write implies read. */
export function levelsOf(permissions: readonly string[]): Record<string, Level> {
  const chosen: Record<string, Level> = {};
  for (const permission of permissions) {
    const area = areaOf(permission);
    if (chosen[area] !== 'read_write') chosen[area] = levelOf(permission);
  }
  return chosen;
}

/** Converts levels to permissions for the API. */
export const permissionsOf = (chosen: Readonly<Record<string, Level>>): string[] =>
  Object.entries(chosen)
    .filter(([, level]) => level !== 'none')
    .map(([area, level]) => `${area}:${level}`);

/** Sets `level` in every area, or the highest available level below it. */
export const everywhere = (areas: readonly PermissionArea[], level: Level): Record<string, Level> =>
  Object.fromEntries(
    areas.map(({ name, levels }) => [name, levels.includes(level) ? level : (levels.at(-1) ?? 'none')]),
  );
