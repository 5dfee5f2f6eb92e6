import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, loadConfig } from './config.js';

const key = Buffer.alloc(32, 7).toString('base64');

function problemsOf(env: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('configuration', () => {
  it('works without any variable, with private networks allowed for the local demo', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({ port: 8787, databaseUrl: null, demo: true, allowPrivateNetworks: true });
    expect(config.baseUrl).toBe('http://localhost:8787');
  });

  it('refuses private networks by default with an own database or without the demo', () => {
    const env = { DATABASE_URL: 'postgres://a@b/c', SERVICE_ENCRYPTION_KEY: key };
    expect(loadConfig(env).allowPrivateNetworks).toBe(false);
    expect(loadConfig({ SERVICE_DEMO: 'false' }).allowPrivateNetworks).toBe(false);
    expect(loadConfig({ ...env, SERVICE_ALLOW_PRIVATE_NETWORKS: 'true' }).allowPrivateNetworks).toBe(true);
  });

  it('names every bad variable at once', () => {
    const problems = problemsOf({ PORT: 'eighty', SERVICE_DEMO: 'maybe', DATABASE_URL: 'mysql://x' });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'SERVICE_DEMO',
    ]);
  });

  it('asks for an encryption key when the database is not the embedded one', () => {
    expect(problemsOf({ DATABASE_URL: 'postgres://a@b/c' })).toEqual([
      'SERVICE_ENCRYPTION_KEY is required when DATABASE_URL is set (32 bytes in base64)',
    ]);
  });

  it('asks for the URL of exchange rates when they are to be fetched', () => {
    const missing = 'SERVICE_FX_URL is required when SERVICE_FX_PROVIDER is http';
    expect(problemsOf({ SERVICE_FX_PROVIDER: 'http' })).toEqual([missing]);
    expect(problemsOf({ SERVICE_FX_PROVIDER: 'ftp', SERVICE_FX_URL: 'ftp://x' })).toEqual([
      'SERVICE_FX_PROVIDER must be one of static, http, none',
      'SERVICE_FX_URL must be an http or https URL',
    ]);
    const url = 'https://rates.example.com/latest?key=secret';
    const config = loadConfig({ SERVICE_FX_PROVIDER: 'http', SERVICE_FX_URL: url });
    expect([config.fxProvider, config.fxUrl, loadConfig({}).fxProvider]).toEqual(['http', url, 'static']);
  });

  it('reads secrets from files and refuses both forms together', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'key');
    writeFileSync(file, `${key}\n`);
    expect(loadConfig({ SERVICE_ENCRYPTION_KEY_FILE: file }).encryptionKey?.toString('base64')).toBe(key);
    expect(problemsOf({ SERVICE_ENCRYPTION_KEY_FILE: file, SERVICE_ENCRYPTION_KEY: key })).toEqual([
      'SERVICE_ENCRYPTION_KEY and SERVICE_ENCRYPTION_KEY_FILE are both set; set one of them',
    ]);
    expect(problemsOf({ SERVICE_ENCRYPTION_KEY_FILE: '/does/not/exist' })[0]).toContain('cannot be read');
  });

  it('treats an empty variable as unset', () => {
    expect(loadConfig({ PORT: '' }).port).toBe(8787);
  });
});
