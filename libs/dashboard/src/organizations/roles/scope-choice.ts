import type { ScopeGroup } from '../../api/enterprise.types.js';

/** What a role may do in one area: nothing, read, or read and write. */
export type Level = 'none' | 'read' | 'read_write';

export interface ScopeArea {
  /** `customer_information:customers` */
  name: string;
  group: string;
  label: string;
  levels: Level[];
}

const levelOf = (scope: string): Level => scope.slice(scope.lastIndexOf(':') + 1) as Level;
const areaOf = (scope: string): string => scope.slice(0, scope.lastIndexOf(':'));

const words = (name: string): string => {
  const text = name
    .slice(name.lastIndexOf(':') + 1)
    .replaceAll('_', ' ')
    .replace(/\bapi\b/, 'API');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The areas of the server's catalogue, in its order. */
export function areasOf(groups: readonly ScopeGroup[]): ScopeArea[] {
  const areas = new Map<string, ScopeArea>();
  for (const { group, scopes } of groups) {
    for (const { scope } of scopes) {
      const name = areaOf(scope);
      const known = areas.get(name) ?? { name, group, label: words(name), levels: ['none'] };
      known.levels.push(levelOf(scope));
      areas.set(name, known);
    }
  }
  return [...areas.values()];
}

/** The level in each area that `scopes` give; to write implies to read. */
export function choiceOf(scopes: readonly string[]): Record<string, Level> {
  const chosen: Record<string, Level> = {};
  for (const scope of scopes) {
    const area = areaOf(scope);
    if (chosen[area] !== 'read_write') chosen[area] = levelOf(scope);
  }
  return chosen;
}

export const scopesOf = (chosen: Readonly<Record<string, Level>>): string[] =>
  Object.entries(chosen)
    .filter(([, level]) => level !== 'none')
    .map(([area, level]) => `${area}:${level}`)
    .sort();

/** `level` in every area, or the most below it that there is. */
export const everywhere = (areas: readonly ScopeArea[], level: Level): Record<string, Level> =>
  Object.fromEntries(
    areas.map(({ name, levels }) => [name, levels.includes(level) ? level : (levels.at(-1) ?? 'none')]),
  );
