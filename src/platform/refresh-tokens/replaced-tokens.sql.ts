/* The grace period uses the database's clock: different processes may replace and check a token. */

export const replacedAtSql = `date_trunc('milliseconds', statement_timestamp())`;

export function replacedAgoMsSql(replacedAt: string): string {
  return `(extract(epoch FROM statement_timestamp() - ${replacedAt}) * 1000)::float8`;
}

/** Whether a token was replaced more than a number of milliseconds ago. */
export function isReplacedBeforeSql(replacedAt: string, graceMs: string): string {
  return `${replacedAt} < statement_timestamp() - ${graceMs}::bigint * interval '1 millisecond'`;
}
