import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformFileSync } from '@swc/core';

export const BUNDLE_ID = 'com.example.bench';
export const APPLE_ID = 6443000000;
export const clock = { nowMs: () => Date.now() };

const LATENCY_MS = 20;

/** A fake of the tests, compiled into a folder; gives what loads its files. */
function compiled(folder, name) {
  const source = fileURLToPath(new URL(`../test/support/${name}/`, import.meta.url));
  const target = join(folder, name);
  mkdirSync(target);
  writeFileSync(join(target, 'package.json'), '{"type":"module"}');
  symlinkSync(fileURLToPath(new URL('../node_modules', import.meta.url)), join(target, 'node_modules'));
  for (const file of readdirSync(source)) {
    const { code } = transformFileSync(join(source, file), {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      module: { type: 'es6' },
    });
    writeFileSync(join(target, file.replace(/\.ts$/, '.js')), code);
  }
  return (file) => import(pathToFileURL(join(target, file)).href);
}

/** The App Store of the tests; its answers take 20 ms. */
export async function fakeAppStore(folder) {
  const load = compiled(folder, 'fake-app-store');
  const { FakeAppStore, fakeProducts } = await load('fake-app-store.js');
  const { FakeServerApi } = await load('fake-server-api.js');
  const store = new FakeAppStore(clock, BUNDLE_ID, APPLE_ID);
  const api = new FakeServerApi(store);
  api.latencyMs = LATENCY_MS;
  await api.start();
  const roots = join(folder, 'roots');
  mkdirSync(roots);
  writeFileSync(join(roots, 'root.der'), store.chain.root.der);
  return { store, api, roots, product: fakeProducts.monthly };
}

/** The Google Play of the tests, likewise. */
export async function fakeGooglePlay(folder) {
  const load = compiled(folder, 'fake-play');
  const { FakePlay, playProducts } = await load('fake-play.js');
  const { FakePlayServer } = await load('fake-play-server.js');
  const store = new FakePlay(clock, BUNDLE_ID);
  const api = new FakePlayServer(store);
  api.latencyMs = LATENCY_MS;
  await api.start();
  return { store, api, product: playProducts.monthly };
}
