import {
  areasWith,
  type PermissionArea,
  permissionWords,
} from '../../frame/permissions/permission-levels.js';

/** Areas of the permissions that the person holds, which are the most they can grant. */
export const areasOf = (held: readonly string[]): PermissionArea[] =>
  areasWith(
    held.map((permission) => ({ permission, group: permissionWords(permission.split(':')[0] ?? '') })),
  );

/** Expands `<group>:*`, `<group>:*:read` or `<group>:*:read_write` to permissions of `known`. Keeps other values. */
function meant(permission: string, known: readonly string[]): readonly string[] {
  const [group, area, level] = permission.split(':');
  if (area !== '*') return [permission];
  return known.filter(
    (name) => name.startsWith(`${group}:`) && (level === undefined || name.endsWith(`:${level}`)),
  );
}

/** Summarizes a key's permissions: `12 areas, 3 of them read only`. */
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
