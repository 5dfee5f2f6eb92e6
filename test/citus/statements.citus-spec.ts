/**
 * Reads the names of all statements known so far.
 *
 * @own-modules
 */
import pg from 'pg';
import '../../src/app.module.js';
import { loadEnterprise } from '../../src/load-enterprise.js';
import { ofSomeProjects } from '../../src/platform/database/citus/reachable-projects.js';
import { knownStatements } from '../../src/platform/database/statement.js';
import { type CitusDatabase, createDistributedDatabase, describeCitus } from './citus-database.js';
import { overManyShards, refused } from './statement-lists.js';

/**
 * Citus answers with these if it does not support a feature, or cannot plan or run a statement. A worker answers with those
 * of syntax and names (42) if it gets other SQL than the coordinator did.
 */
const REFUSALS = /^(0A000|XX000|42...)$/;

/** A value of a type, as SQL. */
function valueOf(type: string): string {
  if (type.endsWith('[]')) return `ARRAY[${valueOf(type.slice(0, -2))}]::${type}`;
  if (/int|numeric|double|real/.test(type)) return `1::${type}`;
  if (/timestamp|date/.test(type)) return `'2026-01-05'::${type}`;
  if (type === 'interval') return `'1 day'::interval`;
  if (type === 'boolean') return 'true';
  if (type === 'uuid') return `'00000000-0000-0000-0000-000000000001'::uuid`;
  if (type === 'bytea') return `'\\x00'::bytea`;
  if (type.startsWith('json')) return `'[]'::${type}`;
  return /char|text|name/.test(type) ? `'x'::${type}` : `NULL::${type}`;
}

describeCitus('every statement, on Citus', () => {
  let database: CitusDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createDistributedDatabase();
    await loadEnterprise();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** Number of tasks of each distributed part of the statement's plan; runs it too. */
  async function tasksOf(text: string): Promise<number[]> {
    await client.query(`PREPARE one AS ${text.replace(/^\s*DECLARE .*? FOR\s/s, '')}`);
    const { rows } = await client.query<{ types: string[] }>(
      `SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'one'`,
    );
    const values = (rows[0]?.types ?? []).map(valueOf).join(', ');
    const execute = `EXECUTE one${values === '' ? '' : `(${values})`}`;
    // A worker that cannot plan its part ends the transaction; only running the statement says why.
    await client.query('SAVEPOINT planned');
    const plan = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${execute}`);
    await client.query('ROLLBACK TO SAVEPOINT planned');
    await client.query(execute);
    const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    return [...lines.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
  }

  async function tried(text: string): Promise<'refused' | 'many' | 'one'> {
    await client.query('BEGIN');
    try {
      const tasks = await tasksOf(text);
      return tasks.length > 1 || tasks.some((count) => count > 1) ? 'many' : 'one';
    } catch (error) {
      // Made-up values are often invalid, which says that a shard looked at them.
      return REFUSALS.test((error as pg.DatabaseError).code ?? '') ? 'refused' : 'one';
    } finally {
      await client.query('ROLLBACK');
      await client.query('DEALLOCATE ALL');
    }
  }

  it('runs on one shard unless a list says why not', async () => {
    const isPlain = /^\s*(WITH|SELECT|INSERT|UPDATE|DELETE|DECLARE)\b/;
    const statements = knownStatements().filter(({ text }) => isPlain.test(text));
    expect(statements.length).toBeGreaterThan(800);
    const found = { refused: [] as string[], many: [] as string[], one: [] as string[] };
    for (const { name, text } of statements) found[await tried(text)].push(name);
    expect(found.refused.sort()).toEqual(Object.values(refused).flat().sort());
    expect(found.many.sort()).toEqual(Object.values(overManyShards).flat().sort());
  });

  it('reads one shard if a statement across projects is limited to one project', async () => {
    const statements = knownStatements().filter(({ acrossProjects }) => acrossProjects);
    expect(statements.length).toBeGreaterThan(30);
    const found = { refused: [] as string[], many: [] as string[], one: [] as string[] };
    for (const one of statements) {
      const parameters = Math.max(
        0,
        ...[...one.text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)),
      );
      found[await tried(ofSomeProjects(one, parameters).text)].push(one.name);
    }
    expect({ refused: found.refused, many: found.many }).toEqual({ refused: [], many: [] });
  });
});
