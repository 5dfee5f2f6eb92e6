import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../src/platform/database/migrations/', import.meta.url);
/** Older migrations run before a database is distributed. */
const FIRST_ON_CITUS = '1797190000000';

const migrations = readdirSync(FOLDER)
  .filter((name) => /^\d/.test(name) && name >= FIRST_ON_CITUS)
  .map((name) => ({ name, text: readFileSync(new URL(name, FOLDER), 'utf8') }));

describe('new migrations', () => {
  it.each(migrations)('$name distributes each new table on Citus', ({ text }) => {
    const created = [...text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+) \(/g)].map(([, table]) => table);
    const distributed = [...text.matchAll(/distributeNewTable\(\w+(?:\.manager)?, '(\w+)'\)/g)];
    expect(distributed.map(([, table]) => table)).toEqual(created);
  });

  it.each(migrations)('$name adds columns without a constraint, which Citus refuses', ({ text }) => {
    expect(text).not.toMatch(/ADD COLUMN[^,;]*\b(REFERENCES|CHECK|UNIQUE|PRIMARY KEY|CONSTRAINT)\b/);
  });
});
