import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { assertAccepted, check } from './check.mjs';

const docker = fileURLToPath(new URL('../../docker', import.meta.url));

/** `${NAME}`, `${NAME:-default}` and `${NAME:?message}`, inner ones first; `$$` is a dollar. */
function interpolated(text, variables) {
  const pattern = /(?<!\$)\$\{(\w+)(?::([-?])([^${}]*))?\}/;
  let result = text;
  for (let found = pattern.exec(result); found; found = pattern.exec(result)) {
    const [whole, name, kind, rest] = found;
    const value = variables[name] || (kind === '-' ? rest : undefined);
    if (value === undefined && kind === '?') throw new Error(`${name}: ${rest}`);
    result = result.replace(whole, () => value ?? '');
  }
  return result.replaceAll('$$', '$');
}

function readCompose(file, variables) {
  return parse(interpolated(readFileSync(join(docker, file), 'utf8'), variables), { merge: true });
}

const secondsOf = (duration) => Number(/^(\d+)s$/.exec(duration)[1]);
const isServer = ({ build }) => build?.dockerfile === 'docker/Dockerfile';

/** @returns environments of the servers as the server reads them, by the name of their service */
async function checkServices(services) {
  const environments = {};
  for (const [name, service] of Object.entries(services)) {
    const needs = Array.isArray(service.depends_on)
      ? service.depends_on
      : Object.keys(service.depends_on ?? {});
    check(
      needs.every((one) => one in services),
      `${name} needs ${needs.join(', ') || 'none'}`,
    );
    if (!isServer(service)) continue;
    // What is interpolated to nothing is YAML's null here, and empty in the container.
    const variables = Object.entries(service.environment).map(([key, value]) => [key, value ?? '']);
    const config = await assertAccepted({ NODE_ENV: 'production', ...Object.fromEntries(variables) });
    check(
      new URL(config.databaseUrl).hostname in services,
      `${name} has its database at ${new URL(config.databaseUrl).hostname}`,
    );
    check(service.read_only && service.tmpfs === '/tmp', 'writes only temporary files');
    check(config.signingKey !== null && config.metricsPort !== null, 'signs, and keeps its metrics inside');
    const seconds = (config.drainMs + config.shutdownGraceMs) / 1000;
    check(
      secondsOf(service.stop_grace_period) >= seconds + 15,
      `and has ${service.stop_grace_period} to stop`,
    );
    environments[name] = config;
  }
  return environments;
}

/** The proxy leads to the services that answer, and takes its settings even where none has an address. */
function checkProxy(settings, environments) {
  const servers = [...settings.matchAll(/^\s*server (\S+) (\S+):(\d+)/gm)].map(([, , host, port]) => [
    host,
    Number(port),
  ]);
  const answering = Object.entries(environments).filter(([, { role }]) => role === 'api');
  check(
    JSON.stringify(servers) === JSON.stringify(answering.map(([name, { port }]) => [name, port])),
    `the proxy leads to ${servers.map(([host]) => host).join(', ')}`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'tenure-proxy-'));
  try {
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, settings);
    const { error, status, stderr } = spawnSync('haproxy', ['-c', '-f', file], {
      encoding: 'utf8',
      env: { PATH: `${process.env.PATH}:/usr/sbin` },
    });
    if (error?.code === 'ENOENT') process.stdout.write('no haproxy here: its settings are not checked\n');
    else check(status === 0, `haproxy takes its settings${status === 0 ? '' : `: ${stderr}`}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The compose files: their services, the settings of servers and of the proxy. */
export async function checkCompose(encryptionKey) {
  const variables = {
    SERVICE_ENCRYPTION_KEY: encryptionKey,
    SERVICE_SIGNING_KEY: Buffer.from(encryptionKey, 'base64').reverse().toString('base64'),
    POSTGRES_PASSWORD: '0123456789abcdef',
  };
  const databases = {
    'compose.yaml': ['postgres'],
    'compose.ha.yaml': ['postgres'],
    'citus/compose.yaml': ['coordinator', 'worker1', 'worker2'],
  };
  for (const [file, nodes] of Object.entries(databases)) {
    const { services, configs, volumes } = readCompose(file, variables);
    const environments = await checkServices(services);
    check(
      nodes.every((node) => node in services && node in volumes),
      `${file} keeps the data of ${Object.keys(environments).join(', ')}`,
    );
    if (configs?.haproxy) checkProxy(configs.haproxy.content, environments);
    for (const missing of ['SERVICE_ENCRYPTION_KEY', 'POSTGRES_PASSWORD']) {
      let refused = null;
      try {
        readCompose(file, { ...variables, [missing]: '' });
      } catch (error) {
        refused = error.message;
      }
      check(refused?.startsWith(missing), `${file} asks for ${missing}`);
    }
  }
}
