/** The end-to-end suite with PgBouncer in transaction mode before the database. Arguments go to Jest. */
process.env.TEST_POOLER = 'pgbouncer';
process.argv.push('--selectProjects', 'e2e');
await import('./test.mjs');
