/** All permissions by group; an area marked `r` has only a read permission. */
const areas = {
  project_configuration: {
    projects: 'rw',
    apps: 'rw',
    products: 'rw',
    entitlements: 'rw',
    offerings: 'rw',
    targeting_rules: 'rw',
    experiments: 'rw',
    packages: 'rw',
    integrations: 'rw',
    collaborators: 'rw',
    api_keys: 'rw',
    audit_logs: 'r',
    virtual_currencies: 'rw',
    discounts: 'rw',
  },
  customer_information: { customers: 'rw', subscriptions: 'rw', purchases: 'rw', invoices: 'rw' },
  charts_metrics: { overview: 'r', charts: 'r', experiment_results: 'r' },
} as const;

type Areas = typeof areas;
type Level<Access> = Access extends 'rw' ? 'read' | 'read_write' : 'read';
export type Permission = {
  [Group in keyof Areas]: {
    [Area in keyof Areas[Group]]: `${Group}:${string & Area}:${Level<Areas[Group][Area]>}`;
  }[keyof Areas[Group]];
}[keyof Areas];

export const allPermissions: readonly Permission[] = Object.entries(areas).flatMap(([group, members]) =>
  Object.entries(members).flatMap(([area, access]) =>
    (access === 'rw' ? ['read', 'read_write'] : ['read']).map(
      (level) => `${group}:${area}:${level}` as Permission,
    ),
  ),
);

/** The permissions of a principal; `read_write` includes `read`. */
export type PermissionSet = ReadonlySet<Permission>;

const everything: PermissionSet = new Set(allPermissions);

export function withImpliedRead(names: Iterable<Permission>): PermissionSet {
  const set = new Set<Permission>();
  for (const name of names) {
    set.add(name);
    const read = name.replace(/:read_write$/, ':read') as Permission;
    if (everything.has(read)) set.add(read);
  }
  return set;
}

/**
 * Expands the names stored with a secret key: a permission, `*`, `<group>:*`, `<group>:*:read`, `<group>:*:read_write`
 * (the whole group, including reading). Null if one is unknown.
 */
export function expandPermissions(names: readonly string[]): PermissionSet | null {
  const found: Permission[] = [];
  for (const name of names) {
    const [group, area, level, ...rest] = name.split(':');
    const matches =
      name === '*'
        ? allPermissions
        : area === '*' && rest.length === 0
          ? allPermissions.filter(
              (candidate) =>
                candidate.startsWith(`${group}:`) &&
                (level === undefined || level === 'read_write' || candidate.endsWith(`:${level}`)),
            )
          : allPermissions.filter((candidate) => candidate === name);
    if (matches.length === 0) return null;
    found.push(...matches);
  }
  return withImpliedRead(found);
}

export const projectRoles = ['admin', 'developer', 'viewer'] as const;
export type ProjectRole = (typeof projectRoles)[number];

/** Id of a custom role (enterprise edition). */
export type CustomRoleId = `role_${string}`;
export type MemberRole = ProjectRole | CustomRoleId;

export function isBuiltIn(role: MemberRole): role is ProjectRole {
  return (projectRoles as readonly string[]).includes(role);
}

const ADMIN_ONLY = /^project_configuration:(api_keys|collaborators):read_write$/;

export const rolePermissions: Record<ProjectRole, PermissionSet> = {
  admin: everything,
  developer: new Set(allPermissions.filter((name) => !ADMIN_ONLY.test(name))),
  viewer: new Set(allPermissions.filter((name) => name.endsWith(':read'))),
};
