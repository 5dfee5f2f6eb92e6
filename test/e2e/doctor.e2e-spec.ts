import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { examine } from '../../src/cli/doctor/checks.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { partitionedTables } from '../../src/platform/partitions/partitioned-tables.js';
import { createOnSmallDisk } from '../support/database/full-disk.js';
import { startMailServer } from '../support/mail-server.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import { createLimitedRole } from '../support/database/limited-role.js';
import { isPgBouncerInstalled, startPgBouncer } from '../support/database/pgbouncer.mjs';
import { startReplicatedDatabase } from '../support/database/streaming-replica.js';

/** What doctor prints of a database, without what holds of every database of tests: they do not wait for the disk. */
async function doctor(url: string, env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const config = loadConfig({
    DATABASE_URL: url,
    SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    SERVICE_DATABASE_POOL_SIZE: '5',
    ...env,
  });
  const dataSource = new DataSource({ ...dataSourceOptions({ url, poolSize: 4 }), entities: [] });
  await dataSource.initialize();
  try {
    const findings = await examine(dataSource, config);
    return findings
      .map(({ level, text }) => `${level} ${text}`)
      .filter((line) => !/is off: a crash|are not signed|written to the log/.test(line));
  } finally {
    await dataSource.destroy();
  }
}

const wrong = (lines: string[]) => lines.filter((line) => !line.startsWith('ok '));

describe('what doctor finds in a database', () => {
  let database: TestDatabase;
  let owner: pg.Client;
  let role: Awaited<ReturnType<typeof createLimitedRole>>;

  beforeAll(async () => {
    database = await createTestDatabase();
    role = await createLimitedRole(database);
    owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    // The recommended setup: the server's role owns its tables.
    for (const { name } of partitionedTables) await owner.query(`ALTER TABLE ${name} OWNER TO ${role.name}`);
  });

  afterAll(async () => {
    await owner.end();
    await role.sql(`REASSIGN OWNED BY ${role.name} TO CURRENT_USER`);
    await role.drop();
    await database.drop();
  });

  /** Runs what stands behind the last colon that is followed by a statement. */
  async function remedy(line: string): Promise<void> {
    const [, statements = ''] =
      /: ((?:ALTER|CREATE|GRANT|REINDEX).*?)(; then restart.*|, or lower.*)?$/.exec(line) ?? [];
    expect(statements).not.toBe('');
    for (const text of statements.split('; ')) await owner.query(text);
  }

  it('finds nothing in a healthy one', async () => {
    const lines = await doctor(role.url);
    expect(wrong(lines)).toEqual([]);
    for (const text of [
      'The database accepts writes',
      `${role.name} may read and write every table`,
      'All triggers and foreign keys work',
      'All partitions are attached',
      'The disk of the database has room for at least another megabyte',
    ]) {
      expect(lines).toContain(`ok ${text}`);
    }
    expect(lines).toContainEqual(expect.stringMatching(/^ok All \d+ indexes are there and valid$/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^ok \d+ of \d+ connections are in use; a process opens up to 8,/),
    );
  });

  /** One fault, what doctor says of it, and that what it says is the remedy. */
  it.each<[string, string, RegExp]>([
    [
      'a table that the role may not write',
      'REVOKE INSERT ON subscriptions FROM <role>',
      /^failure <role> may not write subscriptions: GRANT SELECT, INSERT, UPDATE, DELETE ON subscriptions TO <role>$/,
    ],
    [
      'a table that the role may not read',
      'REVOKE ALL ON customers FROM <role>',
      /^failure <role> may not read customers: GRANT SELECT, INSERT, UPDATE, DELETE ON customers TO <role>$/,
    ],
    [
      'a schema that the role may not use',
      'REVOKE USAGE ON SCHEMA public FROM PUBLIC',
      /^failure <role> may not use the schema public: GRANT USAGE ON SCHEMA public TO <role>$/,
    ],
    [
      'a role whose transactions are read-only',
      'ALTER ROLE <role> SET default_transaction_read_only = on',
      /^failure default_transaction_read_only is on, so nothing can be written: ALTER ROLE <role> RESET default_transaction_read_only; then restart the servers$/,
    ],
    [
      'a database whose transactions are read-only',
      'ALTER DATABASE <base> SET default_transaction_read_only = on',
      /^failure default_transaction_read_only is on, .*: ALTER DATABASE <base> RESET default_transaction_read_only; then/,
    ],
    [
      'a role whose transactions in the database are read-only',
      'ALTER ROLE <role> IN DATABASE <base> SET default_transaction_read_only = on',
      /^failure default_transaction_read_only is on, .*: ALTER ROLE <role> IN DATABASE <base> RESET default_transaction_read_only; then/,
    ],
    [
      'a role for which no trigger works',
      'ALTER ROLE <role> SET session_replication_role = replica',
      /^failure session_replication_role is replica, so no trigger .*: ALTER ROLE <role> RESET session_replication_role; then/,
    ],
    [
      'a disabled trigger',
      'ALTER TABLE events DISABLE TRIGGER events_noted',
      /^failure The trigger events_noted of events is disabled: ALTER TABLE events ENABLE TRIGGER events_noted$/,
    ],
    [
      'a trigger that is disabled on one partition',
      'ALTER TABLE store_notifications_default DISABLE TRIGGER store_notifications_noted',
      /^failure The trigger store_notifications_noted of store_notifications_default is disabled: ALTER TABLE store_notifications_default ENABLE TRIGGER store_notifications_noted$/,
    ],
    [
      'foreign keys that are not checked',
      'ALTER TABLE products DISABLE TRIGGER ALL',
      /^failure The foreign keys of products are not checked: ALTER TABLE products ENABLE TRIGGER ALL$/,
    ],
    [
      'a detached partition of all other rows',
      'ALTER TABLE events DETACH PARTITION events_default',
      /^failure events_default is detached, so its rows are missing from events: ALTER TABLE events ATTACH PARTITION events_default DEFAULT$/,
    ],
    [
      'a detached first partition',
      'ALTER TABLE events DETACH PARTITION events_first',
      /^failure events_first is detached, .* ATTACH PARTITION events_first FOR VALUES FROM \(MINVALUE\) TO \('2\d{3}-.*Z'\)$/,
    ],
    [
      'a limit of the role for its connections',
      'ALTER ROLE <role> CONNECTION LIMIT 7',
      /^failure \d of 7 connections of the role <role> are in use; .*: ALTER ROLE <role> CONNECTION LIMIT -1, or lower SERVICE_DATABASE_POOL_SIZE$/,
    ],
    [
      'a limit of the database for its connections',
      'ALTER DATABASE <base> CONNECTION LIMIT 7',
      /^failure \d of 7 connections of the database <base> are in use; .*: ALTER DATABASE <base> CONNECTION LIMIT -1, or lower/,
    ],
    [
      'a role that may not take a part of the disk',
      'REVOKE TEMPORARY ON DATABASE <base> FROM PUBLIC',
      /^warning Whether the disk of the database is full cannot be found out: GRANT TEMPORARY ON DATABASE <base> TO <role>$/,
    ],
  ])('finds %s, with its remedy', async (_, fault, message) => {
    const base = new URL(database.url).pathname.slice(1);
    const named = (text: string): string => text.replaceAll('<base>', base).replaceAll('<role>', role.name);
    await owner.query(named(fault));
    const found = wrong(await doctor(role.url));
    const said = found.filter((line) => new RegExp(named(message.source)).test(line));
    expect([found, said.length]).toEqual([found, 1]);
    for (const line of said) await remedy(line);
    expect(wrong(await doctor(role.url))).toEqual([]);
  });

  it('finds a month that is detached, with the bounds that it had', async () => {
    const { rows } = await owner.query<{ name: string; bound: string }>(
      `SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound FROM pg_class c
       WHERE relispartition AND relkind = 'r' AND relname ~ '^webhook_attempts_\\d' ORDER BY relname LIMIT 1`,
    );
    const { name = '', bound } = rows[0] ?? {};
    await owner.query(`ALTER TABLE webhook_attempts DETACH PARTITION ${name}`);
    const [line = '', ...others] = wrong(await doctor(role.url));
    expect([line, others]).toEqual([expect.stringMatching(`^failure ${name} is detached, so its rows`), []]);
    await remedy(line);
    const after = await owner.query(
      `SELECT pg_get_expr(relpartbound, oid) AS bound FROM pg_class WHERE relname = '${name}'`,
    );
    expect(after.rows).toEqual([{ bound }]);
  });

  it('finds an index that is missing on one partition, named, and on a partitioned table', async () => {
    const { rows } = await owner.query<{ definition: string }>(
      `SELECT pg_get_indexdef('audit_logs_by_id'::regclass) AS definition`,
    );
    await owner.query('DROP INDEX audit_logs_by_id');
    const [missing = '', ...others] = wrong(await doctor(role.url));
    expect([missing, others]).toEqual([
      expect.stringMatching(
        /^failure The index audit_logs_by_id is missing: CREATE INDEX audit_logs_by_id ON ONLY public\.audit_logs .*CREATE INDEX CONCURRENTLY audit_logs_default_audit_logs_by_id ON public\.audit_logs_default /,
      ),
      [],
    ]);
    // Only its first step: the partitions lack it then.
    await owner.query(/: (CREATE INDEX .*?);/.exec(missing)?.[1] ?? '');
    const lacking = wrong(await doctor(role.url));
    const partitions = await owner.query(
      `SELECT 1 FROM pg_inherits WHERE inhparent = 'audit_logs'::regclass`,
    );
    expect(lacking).toHaveLength(partitions.rowCount ?? 0);
    expect(lacking).toContainEqual(
      expect.stringMatching(
        /^failure The index audit_logs_by_id is not valid: the partition audit_logs_default lacks it: CREATE INDEX CONCURRENTLY audit_logs_default_audit_logs_by_id ON public\.audit_logs_default USING btree \(project_id, id\); ALTER INDEX audit_logs_by_id ATTACH PARTITION /,
      ),
    );
    for (const line of lacking) await remedy(line);
    expect(wrong(await doctor(role.url))).toEqual([]);
    const after = await owner.query(`SELECT pg_get_indexdef('audit_logs_by_id'::regclass) AS definition`);
    expect(after.rows).toEqual(rows);
  });

  it('finds an index of a partition that is not valid', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'audit_logs_by_id'::regclass ORDER BY 1 LIMIT 1`,
    );
    const name = rows[0]?.name ?? '';
    await owner.query(`UPDATE pg_index SET indisvalid = false
      WHERE indexrelid IN ('audit_logs_by_id'::regclass, '${name}'::regclass)`);
    const found = wrong(await doctor(role.url));
    expect(found.sort()).toEqual([
      `failure The index ${name} is not valid: REINDEX INDEX CONCURRENTLY ${name}`,
      expect.stringMatching(
        `^failure The index audit_logs_by_id is not valid: that of the partition audit_logs_\\w+ is not: REINDEX INDEX CONCURRENTLY ${name}; ALTER INDEX audit_logs_by_id ATTACH PARTITION ${name}$`,
      ),
    ]);
    for (const line of found) await remedy(line);
    expect(wrong(await doctor(role.url))).toEqual([]);
  });

  it('finds a role that cannot create partitions', async () => {
    await owner.query(`ALTER TABLE events OWNER TO CURRENT_USER; GRANT ALL ON events TO ${role.name}`);
    expect(wrong(await doctor(role.url))).toEqual([
      expect.stringMatching(`^warning ${role.name} does not own events: servers cannot make the partitions`),
    ]);
    await owner.query(`ALTER TABLE events OWNER TO ${role.name}`);
  });

  it('finds a mail server that is down, or refuses the sign-in, and no other', async () => {
    const mailServer = await startMailServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('wrong password')),
    });
    const mailLines = async (url: string): Promise<string[]> => {
      const lines = await doctor(database.url, { ...mailServer.env, SERVICE_SMTP_URL: url });
      return lines.filter((line) => line.includes('mail server'));
    };
    const { host } = new URL(mailServer.env.SERVICE_SMTP_URL);
    expect(await mailLines(`smtp://${host}`)).toEqual(['ok The mail server accepts the connection']);
    expect(await mailLines(`smtp://user:password@${host}`)).toEqual([
      expect.stringMatching(/^warning The mail server .*AUTH.* See SERVICE_SMTP_URL$/),
    ]);
    await mailServer.close();
    expect(await mailLines(`smtp://${host}`)).toEqual([
      expect.stringMatching(/^warning The mail server cannot be reached .* See SERVICE_SMTP_URL$/),
    ]);
  });

  it('finds all of several faults, even if a check itself cannot run', async () => {
    await owner.query(`REVOKE ALL ON migrations, apps FROM ${role.name};
      ALTER TABLE subscriptions DISABLE TRIGGER subscriptions_uncharted`);
    const found = wrong(await doctor(role.url));
    for (const text of [
      /^failure This could not be examined: the migrations \(permission denied for table migrations\)$/,
      /^failure This could not be examined: secrets \(permission denied for table apps\)$/,
      /^failure \w+ may not read apps: /,
      /^failure \w+ may not read migrations: /,
      /^failure The trigger subscriptions_uncharted of subscriptions is disabled: /,
    ]) {
      expect(found).toContainEqual(expect.stringMatching(text));
    }
    await owner.query(`GRANT ALL ON migrations, apps TO ${role.name};
      ALTER TABLE subscriptions ENABLE TRIGGER subscriptions_uncharted`);
    expect(wrong(await doctor(role.url))).toEqual([]);
  });
});

describe('what doctor finds on the way to a database', () => {
  it('finds a read replica', async () => {
    const replicated = await startReplicatedDatabase();
    const { primary, replica } = replicated;
    const line = 'failure DATABASE_URL leads to a read replica, which takes no writes: set it to the primary';
    expect(await doctor(replica.url)).toContain(line);
    expect(await doctor(primary.url)).not.toContain(line);
    await replicated.stop();
  });

  it('finds a full disk', async () => {
    const disk = await createOnSmallDisk();
    if (disk === null) {
      process.stderr.write('skipped: a full disk (this user may not mount a file system)\n');
      return;
    }
    const line =
      'failure The disk of the database is full: free some space or enlarge it; writes then work again without a restart';
    expect(await doctor(disk.url)).not.toContain(line);
    await disk.fill();
    expect(await doctor(disk.url)).toContain(line);
    await disk.free();
    expect(await doctor(disk.url)).not.toContain(line);
    await disk.drop();
  });

  const isInstalled = isPgBouncerInstalled();
  if (!isInstalled) process.stderr.write('skipped: doctor behind PgBouncer (pgbouncer is not installed)\n');

  (isInstalled ? it : it.skip)(
    'is a pooler that loses named statements, or has too little room',
    async () => {
      const database = await createTestDatabase();
      const folder = await mkdtemp(join(tmpdir(), 'tenure-doctor-'));
      await chmod(folder, 0o755);
      const behind = async (settings: Record<string, string | number>, env: NodeJS.ProcessEnv) => {
        const pooler = await startPgBouncer(folder, database.url, settings);
        const url = new URL(database.url);
        url.port = String(pooler.port);
        const direct = { SERVICE_DATABASE_DIRECT_URL: database.url };
        return doctor(url.toString(), { ...direct, ...env }).finally(() => pooler.stop());
      };
      const unnamed = { SERVICE_DATABASE_NAMED_STATEMENTS: 'false' };
      const lost = expect.stringMatching(
        /^failure DATABASE_URL is a pooler that does not keep named statements; servers turn them off: set max_prepared_statements = 200 in PgBouncer 1\.21 or later, or SERVICE_DATABASE_NAMED_STATEMENTS=false$/,
      );
      expect(await behind({}, {})).toContainEqual(lost);
      const well = await behind({ default_pool_size: 6 }, { ...unnamed, SERVICE_WORKERS: '50' });
      expect(wrong(well)).toEqual([]);
      // Fifty processes with five connections each would be more than PostgreSQL has.
      expect(well).toContainEqual(
        expect.stringMatching(
          /^ok \d+ of \d+ connections are in use; the pooler opens up to 6, and each process up to 3 beside it$/,
        ),
      );
      expect(await behind({ default_pool_size: 5_000 }, unnamed)).toContainEqual(
        expect.stringMatching(
          /^failure \d+ of \d+ connections are in use; the pooler opens up to 5000, .*: raise max_conn/,
        ),
      );
      expect(await behind({ max_client_conn: 9 }, { ...unnamed, SERVICE_WORKERS: '2' })).toContainEqual(
        'failure The pooler takes 9 clients, and 2 processes open up to 10: raise max_client_conn or lower SERVICE_DATABASE_POOL_SIZE',
      );
      const users = join(folder, 'users.txt');
      await writeFile(users, `"${new URL(database.url).username}" ""\n`, { mode: 0o644 });
      expect(await behind({ auth_type: 'trust', auth_file: users }, unnamed)).toContainEqual(
        expect.stringMatching(
          /^ok \d+ of \d+ connections are in use; the pooler decides how many servers open: its pool size must be lower$/,
        ),
      );
      await rm(folder, { recursive: true });
      await database.drop();
    },
  );
});
