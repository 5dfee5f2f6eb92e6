/** Settings of PgBouncer that differ from those of the runs behind it. */
type Settings = Record<string, string | number>;

export function isPgBouncerInstalled(): boolean;

export function startPgBouncer(
  folder: string,
  databaseUrl: string,
  settings?: Settings,
): Promise<{ port: number; stop: () => void }>;
