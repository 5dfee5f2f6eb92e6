/** A person's permissions in one project. */
export interface HeldRights {
  role: string;
  permissions: readonly string[];
}

/** Returns the first of `needed` that is not held, or null. `admin` is the built-in role. */
export function missingRight(needed: readonly string[], held: HeldRights): string | null {
  return (
    needed.find((name) => (name === 'admin' ? held.role !== 'admin' : !held.permissions.includes(name))) ??
    null
  );
}

/** Why a control is disabled. */
export function reasonOf(missing: string): string {
  return missing === 'admin'
    ? 'Only admins of this project can do this.'
    : `You need the permission ${missing} for this. Ask an admin of the project.`;
}
