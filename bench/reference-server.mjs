import { createServer } from 'node:http';
import pg from 'pg';

/**
 * What the machine can do at best: `/bare` answers fixed bytes, `/read/<n>` the same after one indexed read.
 * Environment: PORT, DATABASE_URL, BODY (the answer), CUSTOMERS.
 */
const body = process.env.BODY;
const customers = Number(process.env.CUSTOMERS);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
await pool.query('CREATE TABLE IF NOT EXISTS bench_reference (id integer PRIMARY KEY, body text NOT NULL)');
await pool.query(
  'INSERT INTO bench_reference SELECT n, $1 FROM generate_series(0, $2::int - 1) n ON CONFLICT DO NOTHING',
  [body, customers],
);
await pool.query('ANALYZE bench_reference');

const headers = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(body),
};

createServer((request, response) => {
  if (request.url === '/bare') {
    response.writeHead(200, headers);
    response.end(body);
    return;
  }
  const id = Math.floor(Math.random() * customers);
  pool
    .query({ name: 'read', text: 'SELECT body FROM bench_reference WHERE id = $1', values: [id] })
    .then(({ rows }) => {
      response.writeHead(200, headers);
      response.end(rows[0].body);
    })
    .catch((error) => {
      response.writeHead(500);
      response.end(String(error));
    });
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.stdout.write('ready\n'));
