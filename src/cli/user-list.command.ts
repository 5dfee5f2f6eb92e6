import { print, shown, withDatabase } from './context.js';

interface Account {
  email: string;
  name: string | null;
  created_at: string;
  two_factor: boolean;
  projects: { id: string; name: string; role: string }[];
}

export interface UserListOptions {
  json?: boolean;
}

/** Oldest first. With `json`, one object per line, for scripts. */
export function listUsers({ json = false }: UserListOptions): Promise<void> {
  return withDatabase(async ({ dataSource }) => {
    const accounts = await dataSource.query<Account[]>(
      `SELECT u.email, u.name, to_char(u.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created_at,
         u.two_factor_enabled_at IS NOT NULL AS two_factor,
         coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'role', m.role) ORDER BY p.created_at, p.id)
           FILTER (WHERE p.id IS NOT NULL), '[]') AS projects
       FROM users u
       LEFT JOIN project_members m ON m.user_id = u.id
       LEFT JOIN projects p ON p.id = m.project_id AND p.deleted_at IS NULL
       GROUP BY u.id ORDER BY u.created_at, u.id`,
    );
    for (const account of accounts) print(json ? JSON.stringify(account) : described(account));
  });
}

function described({
  email,
  name,
  created_at: createdAt,
  two_factor: hasTwoFactor,
  projects,
}: Account): string {
  const person = name === null ? email : `${email} (${shown(name)})`;
  const first = `${person}, created ${createdAt}, two-factor ${hasTwoFactor ? 'on' : 'off'}`;
  return [first, ...projects.map(({ id, name: title, role }) => `  ${id}  ${role}  ${shown(title)}`)].join(
    '\n',
  );
}
