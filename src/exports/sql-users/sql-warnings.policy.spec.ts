import { type SqlServerState, sqlWarnings } from './sql-warnings.policy.js';

const safe: SqlServerState = {
  role: 'tenure',
  database: 'app',
  publicMayCreate: false,
  publicMayUseTemporary: false,
  publicMayConnect: true,
  publicMayResetStatistics: false,
  extensions: [],
  languages: [],
  members: [],
};
const onPrimary = { isPrimary: true, openLines: [] };

describe('warnings about SQL access', () => {
  it('reports nothing for a safe server', () => {
    expect(sqlWarnings(safe, onPrimary)).toEqual([]);
  });

  it.each<[Partial<SqlServerState>, RegExp]>([
    [{ publicMayCreate: true }, /REVOKE CREATE ON SCHEMA public FROM PUBLIC/],
    [
      { publicMayUseTemporary: true },
      /REVOKE TEMP ON DATABASE app FROM PUBLIC; GRANT TEMP ON DATABASE app TO tenure/,
    ],
    [{ publicMayConnect: false }, /GRANT CONNECT ON DATABASE app/],
    [{ publicMayResetStatistics: true }, /pg_stat_statements_reset/],
    [{ extensions: ['dblink'] }, /dblink/],
    [{ languages: ['plpython3u'] }, /plpython3u/],
    [{ members: ['bob'] }, /bob/],
  ])('names the remedy of %j', (change, expected) => {
    expect(sqlWarnings({ ...safe, ...change }, onPrimary)).toEqual([expect.stringMatching(expected)]);
  });

  it('names lines of pg_hba.conf, and no temporary tables on a replica', () => {
    const state = { ...safe, publicMayUseTemporary: true };
    expect(sqlWarnings(state, { isPrimary: false, openLines: [7] })).toEqual([
      expect.stringContaining('Line 7 of pg_hba.conf'),
    ]);
  });
});
