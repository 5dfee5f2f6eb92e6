/** A session of a SQL user, on the primary or a replica. */
export interface SqlSession {
  pid: number;
  roleName: string;
  /** Start of the session, as the database writes it. */
  startedAt: string;
  /** Age of the running statement; null if none runs. */
  statementSeconds: number | null;
  transactionSeconds: number | null;
  holdsLock: boolean;
}

export interface SessionRules {
  access: 'off' | 'replica' | 'primary';
  isPrimary: boolean;
  statementSeconds: number;
}

/**
 * Why a session is ended.
 * - `off`: SQL access is off
 * - `primary`: on the primary, although users must use a replica
 * - `unknown`, `expired`, `blocked`: no user, or not any more
 * - `lock`: holds an advisory lock; the server uses them
 * - `statement`, `transaction`: took too long
 * - `rotated`, `deleted`: the user was changed
 */
export const endReasons = [
  'off',
  'primary',
  'unknown',
  'expired',
  'blocked',
  'lock',
  'statement',
  'transaction',
  'rotated',
  'deleted',
] as const;
export type EndReason = (typeof endReasons)[number];

/** Null if the session may continue. `user`: null if the role has none. */
export function reasonToEnd(
  session: Pick<SqlSession, 'statementSeconds' | 'transactionSeconds' | 'holdsLock'>,
  user: { isExpired: boolean; isBlocked: boolean } | null,
  { access, isPrimary, statementSeconds }: SessionRules,
): EndReason | null {
  if (access === 'off') return 'off';
  if (user === null) return 'unknown';
  if (user.isExpired) return 'expired';
  if (session.holdsLock) return 'lock';
  if (user.isBlocked) return 'blocked';
  if (isPrimary && access === 'replica') return 'primary';
  if ((session.statementSeconds ?? 0) > statementSeconds) return 'statement';
  if ((session.transactionSeconds ?? 0) > 2 * statementSeconds) return 'transaction';
  return null;
}
