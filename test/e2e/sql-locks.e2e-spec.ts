import { SqlSessionsService } from '../../src/exports/sql-users/sql-sessions.service.js';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { playProducts } from '../support/fake-play/fake-play.js';
import { connectSql, createSqlUser, type SqlClient } from '../support/sql-access.js';
import { untilBlocked } from '../support/until-blocked.js';

const { monthly } = playProducts;

describe('a lock that a SQL user holds', () => {
  let world: PlayWorld;
  let sql: SqlClient;

  beforeAll(async () => {
    world = await startPlayWorld();
  });

  afterAll(() => world.close());

  beforeEach(async () => {
    sql = await connectSql((await createSqlUser(world)).connection_url);
  });

  afterEach(() => sql.close());

  it('delays a purchase that needs it until the session is ended, and then the purchase is recorded', async () => {
    const { token } = world.play.subscribe(monthly);
    await sql.rows('SELECT pg_advisory_lock(hashtextextended($1, 0))', [
      `${world.projectId} purchase play_store production ${token}`,
    ]);
    const posted = world.post('ada', token);
    await untilBlocked(world.server, 1);
    await world.server.app.get(SqlSessionsService).watch();
    expect((await posted).status).toBe(200);
    expect(await world.subscriptions('ada')).toHaveLength(1);
    expect(await sql.refusal('SELECT 1')).not.toBeNull();
  });

  it('delays no other purchase', async () => {
    // The numbers that the server locks, except those of single purchases.
    await sql.rows('SELECT pg_advisory_lock(746210000 + n) FROM generate_series(0, 9) n');
    await sql.rows('SELECT pg_advisory_lock(746210004, hashtext($1))', [world.projectId]);
    for (const name of ['organization', 'audit_retention', 'customer_list_exports', 'listed_customers'])
      await sql.rows('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`${name}:${world.projectId}`]);
    const { token } = world.play.subscribe(monthly);
    expect((await world.post('bob', token)).status).toBe(200);
    expect(await world.subscriptions('bob')).toHaveLength(1);
    expect(await sql.refusal('SELECT 1')).toBeNull();
  });
});
