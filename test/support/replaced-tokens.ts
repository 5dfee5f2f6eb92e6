import type { TestServer } from './test-server.js';

/** Replaced refresh tokens are aged by the database's clock, which tests cannot move: this moves the tokens instead. */
export async function ageReplacedTokens({ dataSource }: TestServer, ms: number): Promise<void> {
  for (const table of ['replaced_customer_tokens', 'replaced_oauth_tokens']) {
    await dataSource.query(
      `UPDATE ${table} SET replaced_at = replaced_at - $1::int * interval '1 millisecond'`,
      [ms],
    );
  }
}
