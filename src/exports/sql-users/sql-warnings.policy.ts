export interface SqlServerState {
  role: string;
  database: string;
  publicMayCreate: boolean;
  publicMayUseTemporary: boolean;
  publicMayConnect: boolean;
  publicMayResetStatistics: boolean;
  /** Extensions that connect to other servers or read files. */
  extensions: string[];
  /** Languages whose functions can do what the server's operating system user can. */
  languages: string[];
  /** Roles, other than the server's, that are members of a role of a SQL user. */
  members: string[];
}

/** Sentences about what makes SQL access less safe, each with its remedy. */
export function sqlWarnings(
  state: SqlServerState,
  { isPrimary, openLines }: { isPrimary: boolean; openLines: readonly number[] },
): string[] {
  const { role, database, extensions, languages, members } = state;
  const warnings: string[] = [];
  if (!state.publicMayConnect)
    warnings.push(
      `SQL users may not connect to the database: GRANT CONNECT ON DATABASE ${database} TO each of them.`,
    );
  if (state.publicMayCreate)
    warnings.push(
      'Every database user may create tables and functions in the schema public: REVOKE CREATE ON SCHEMA public FROM PUBLIC.',
    );
  if (isPrimary && state.publicMayUseTemporary)
    warnings.push(
      `SQL users may create temporary tables, which can fill the disk: REVOKE TEMP ON DATABASE ${database} FROM PUBLIC; GRANT TEMP ON DATABASE ${database} TO ${role}.`,
    );
  if (state.publicMayResetStatistics)
    warnings.push(
      'Every database user may reset pg_stat_statements: REVOKE EXECUTE ON FUNCTION pg_stat_statements_reset FROM PUBLIC.',
    );
  for (const name of extensions)
    warnings.push(
      `The extension ${name} reaches data outside the database: drop it, or check who may use its functions.`,
    );
  for (const name of languages)
    warnings.push(`The untrusted language ${name} is installed: drop it if nothing needs it.`);
  for (const name of members)
    warnings.push(`The role ${name} is a member of a role of a SQL user: REVOKE that membership.`);
  for (const line of openLines)
    warnings.push(
      `Line ${line} of pg_hba.conf lets SQL users in without a password: put a line for them before it (docs/sql-access.md).`,
    );
  return warnings;
}
