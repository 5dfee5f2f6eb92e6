import { connectionUrl, type SqlPlace, sqlPlaceUrl } from './connection-url.policy.js';

const place: SqlPlace = {
  access: 'replica',
  publicHost: null,
  primaryUrl: 'postgres://tenure:secret@db:5433/tenure',
  replicaUrls: ['postgres://tenure:secret@replica:5434/tenure?sslmode=verify-full'],
  database: 'tenure',
};

describe('the address for SQL users', () => {
  it.each<[Partial<SqlPlace>, string | null]>([
    [{}, 'postgresql://replica:5434/tenure?sslmode=verify-full'],
    [{ access: 'primary' }, 'postgresql://db:5433/tenure'],
    [{ publicHost: 'sql.example.com' }, 'postgresql://sql.example.com/tenure?sslmode=require'],
    [
      { publicHost: '[2001:db8::1]:6000', database: 'a b/ü' },
      'postgresql://[2001:db8::1]:6000/a%20b%2F%C3%BC?sslmode=require',
    ],
    [{ replicaUrls: [] }, null],
    [{ access: 'primary', primaryUrl: null }, null],
  ])('with %j is %s', (change, expected) => {
    expect(sqlPlaceUrl({ ...place, ...change })?.toString() ?? null).toBe(expected);
  });

  it('contains user and password, and none of the server', () => {
    const url = sqlPlaceUrl(place);
    if (!url) throw new Error('no address');
    expect(connectionUrl(url, 'tenure_sql_a', 'p')).toBe(
      'postgresql://tenure_sql_a:p@replica:5434/tenure?sslmode=verify-full',
    );
  });
});
