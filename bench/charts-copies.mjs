import pg from 'pg';

/** Tables with rows of customers that charts read, with the columns that tell the customers of copies apart. */
const PER_CUSTOMER = {
  customers: ['id', 'original_app_user_id'],
  customer_days: ['customer_id'],
  subscriptions: ['id', 'store_key', 'customer_id', 'original_customer_id'],
  chart_customers: ['customer_id'],
  chart_facts: ['customer_id', 'purchase_id'],
  chart_buyers: ['customer_id'],
  chart_payers: ['customer_id'],
  chart_runs: ['customer_id', 'purchase_id'],
};
/** Tables with sums over customers. */
const SUMS = [
  'chart_days',
  'chart_cohort_days',
  'chart_cohort_counts',
  'chart_cohort_money',
  'chart_cohort_sums',
  'chart_active_days',
];
/** No sums, and not in the key: months from the cohort day. */
const NO_SUMS = ['months'];
const COUNTS = ['customers', 'facts', 'payers', 'runs', 'active_days', 'views'];
/** As in the server's daily check. */
const PIECE = 20_000;

const NUMBERS = ['int2', 'int4', 'int8', 'numeric'];
const multiplied = ({ name, type }, by) =>
  NUMBERS.includes(type)
    ? `${name} = ${name} * ${by}`
    : `${name} = ARRAY(SELECT v * ${by} FROM unnest(${name}) WITH ORDINALITY AS u (v, place) ORDER BY place)`;

/**
 * Multiplies a derived world: each customer gets `copies - 1` twins, and sums are multiplied. Deriving the facts of
 * millions of customers would take hours. `round` tells the twins of repeated calls apart.
 */
export async function copyCustomers(databaseUrl, { projectId, copies, round, log }) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `SET session_replication_role = replica; SET synchronous_commit = off; SET statement_timeout = 0`,
    );
    for (const [table, own] of Object.entries(PER_CUSTOMER)) {
      const { rows } = await client.query(
        `SELECT attname AS name FROM pg_attribute
         WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity = ''`,
        [table],
      );
      const names = rows.map(({ name }) => name);
      const values = names.map((name) =>
        own.includes(name) ? `t.${name} || '-${round}-' || copy` : `t.${name}`,
      );
      for (const name of own) if (!names.includes(name)) throw new Error(`${table} has no column ${name}`);
      const quoted = names.map((name) => `"${name}"`);
      const { rowCount } = await client.query(
        `INSERT INTO ${table} (${quoted.join(', ')}) SELECT ${values.join(', ')} FROM ${table} t
         CROSS JOIN generate_series(1, ${copies - 1}) copy WHERE t.project_id = $1`,
        [projectId],
      );
      log(`${table}: ${rowCount} rows`);
    }
    for (const table of SUMS) {
      const { rows } = await client.query(
        `SELECT attname AS name, typname AS type FROM pg_attribute a JOIN pg_type t ON t.oid = atttypid
         WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
           AND typname = ANY ($2) AND attname <> ALL ($3)
           AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = attrelid AND i.indisprimary AND attnum = ANY (i.indkey))`,
        [table, [...NUMBERS, ...NUMBERS.map((type) => `_${type}`)], NO_SUMS],
      );
      const { rowCount } = await client.query(
        `UPDATE ${table} SET ${rows.map((column) => multiplied(column, copies)).join(', ')} WHERE project_id = $1`,
        [projectId],
      );
      await client.query(`VACUUM (FULL, ANALYZE) ${table}`);
      log(`${table}: ${rowCount} sums`);
    }
    await client.query(
      `UPDATE chart_projects SET ${COUNTS.map((name) => `${name} = ${name} * ${copies}`).join(', ')} WHERE project_id = $1`,
      [projectId],
    );
    await client.query('DELETE FROM chart_pieces WHERE project_id = $1', [projectId]);
    await client.query(
      `INSERT INTO chart_pieces (project_id, from_customer_id)
       SELECT $1, customer_id FROM (SELECT customer_id, row_number() OVER (ORDER BY customer_id) AS place
         FROM chart_customers WHERE project_id = $1) c WHERE place % ${PIECE} = 0`,
      [projectId],
    );
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}
