import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { BuiltDashboard } from './built-dashboard.js';

describe('the files of a build', () => {
  let folder: string;
  let server: Server;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'built-dashboard-'));
    mkdirSync(join(folder, '.vite'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html>');
    writeFileSync(join(folder, 'paywall-preview.html'), '<!doctype html>');
    writeFileSync(join(folder, '.vite/manifest.json'), '{}');
    writeFileSync(join(folder, 'assets/page.js'), 'export {};');
    const built = new BuiltDashboard(folder);
    const app = express();
    app.use((request, response) => {
      if (!built.sendAsset(request, response)) response.status(404).end();
    });
    await new Promise<void>((resolve) => {
      server = app.listen(0, '127.0.0.1', () => resolve());
    });
  });

  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });

  it('stays readable when replaced while the server runs', async () => {
    const script = `http://127.0.0.1:${(server.address() as AddressInfo).port}/assets/page.js`;
    const file = join(folder, 'assets/page.js');
    renameSync(file, `${file}.away`);
    try {
      await expect(fetch(script).then((answer) => answer.text())).rejects.toThrow();
    } finally {
      renameSync(`${file}.away`, file);
    }
    expect((await fetch(script)).status).toBe(200);
  });
});
