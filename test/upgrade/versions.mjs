import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

const manifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Its packages: those of this checkout when it wants the same ones, else its own. */
function installPackages(folder) {
  const [wanted, present] = [folder, root].map((one) => manifest(one).dependencies);
  if (Object.entries(wanted).every(([name, version]) => present[name] === version)) {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  } else {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
      cwd: folder,
      stdio: 'ignore',
    });
  }
}

/** Builds the server as it was at a reference of git, in a folder of its own. */
export function buildVersion(reference) {
  const { status } = spawnSync('git', ['cat-file', '-e', `${reference}^{commit}`], { cwd: root });
  if (status !== 0) {
    process.stdout.write(`git does not know ${reference}: fetch the whole history, or choose with --from\n`);
    process.exit(1);
  }
  const folder = mkdtempSync(join(tmpdir(), 'tenure-version-'));
  const archive = execFileSync('git', ['archive', reference], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  installPackages(folder);
  execFileSync(process.execPath, ['scripts/build.mjs'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { home: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
