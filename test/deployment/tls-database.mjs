import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** A certificate of localhost that vouches for itself, and its key. */
function certificate(folder, name) {
  const [key, certificate] = ['key', 'crt'].map((end) => join(folder, `${name}.${end}`));
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files],
    { stdio: 'ignore' },
  );
  chmodSync(certificate, 0o644);
  return { key, certificate };
}

async function switchOn(client, { key, certificate }) {
  for (const [name, value] of Object.entries({ ssl_cert_file: certificate, ssl_key_file: key, ssl: 'on' })) {
    await client.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  }
  await client.query('SELECT pg_reload_conf()');
  for (;;) {
    const { rows } = await client.query('SHOW ssl');
    if (rows[0].ssl === 'on') return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** An embedded PostgreSQL with TLS. `wrongUrl` names an authority that did not sign its certificate. */
export async function startTlsDatabase() {
  const { startEmbeddedPostgres } = await import('../../dist/libs/embedded-postgres/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'tenure-image-data-'));
  chmodSync(folder, 0o711);
  const dataDir = join(folder, 'postgres');
  const database = await startEmbeddedPostgres({ dataDir, durability: 'full' });
  const [own, other] = [certificate(folder, 'own'), certificate(folder, 'other')];
  const { uid, gid } = statSync(dataDir);
  chownSync(own.key, uid, gid);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await switchOn(client, own);
  const url = (authority) =>
    `${database.url.replace('127.0.0.1', 'localhost')}?sslmode=verify-full&sslrootcert=${authority}`;
  return {
    folder,
    url: url(own.certificate),
    wrongUrl: url(other.certificate),
    /** Returns whether the other connections use TLS. Connections that are still being opened do not count. */
    async connections() {
      const { rows } = await client.query(
        'SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)' +
          " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND usename IS NOT NULL" +
          " AND state IS DISTINCT FROM 'starting'",
      );
      return rows.map(({ ssl }) => ssl);
    },
    async stop() {
      await client.end();
      await database.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
