import { mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformFileSync } from '@swc/core';

const SUPPORT = fileURLToPath(new URL('../test/support/', import.meta.url));
const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url));

function compile(source, target) {
  if (statSync(source).isDirectory()) {
    for (const name of readdirSync(source)) compile(join(source, name), join(target, name));
    return;
  }
  mkdirSync(dirname(target), { recursive: true });
  const { code } = transformFileSync(source, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'es6' },
  });
  writeFileSync(target.replace(/\.ts$/, '.js'), code);
}

/**
 * Compiles stores of the tests (`names`: files and folders of test/support) into a folder; gives what imports a file
 * from there.
 */
export function compileFakes(folder, names) {
  const target = mkdtempSync(join(folder, 'fakes-'));
  writeFileSync(join(target, 'package.json'), '{"type":"module"}');
  symlinkSync(MODULES, join(target, 'node_modules'));
  for (const name of names) compile(join(SUPPORT, name), join(target, name));
  return (file) => import(pathToFileURL(join(target, file)).href);
}
