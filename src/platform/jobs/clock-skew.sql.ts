import { statement } from '../database/statement.js';

export const databaseTime = statement(
  'clock_skew.database_time',
  `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "atMs"`,
);
