import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
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

  it.each(['short', 'a'.repeat(201), 'with a space in the middle', 'ümlaut-in-the-token'])(
    'takes no setup token like %s',
    (SERVICE_SETUP_TOKEN) => {
      expect(problemsOf({ SERVICE_SETUP_TOKEN })).toEqual([
        expect.stringMatching(/^SERVICE_SETUP_TOKEN must /),
      ]);
    },
  );

  it('has metrics at a port of their own only where that is another one', () => {
    expect(loadConfig({}).metricsPort).toBeNull();
    expect(loadConfig({ SERVICE_METRICS_PORT: '9464' }).metricsPort).toBe(9464);
    expect(problemsOf({ PORT: '80', SERVICE_METRICS_PORT: '80' })).toEqual([
      'SERVICE_METRICS_PORT must not be PORT',
    ]);
  });

  it.each([
    [{}, { processes: 1, hasJobsProcess: false }],
    [{ SERVICE_WORKERS: '2' }, { processes: 2, hasJobsProcess: false }],
    [{ SERVICE_JOBS_PROCESS: 'true' }, { processes: 2, hasJobsProcess: true }],
    [
      { SERVICE_JOBS_PROCESS: 'true', SERVICE_ROLE: 'api' },
      { processes: 1, hasJobsProcess: false },
    ],
    [
      { SERVICE_JOBS_PROCESS: 'true', SERVICE_ROLE: 'worker' },
      { processes: 1, hasJobsProcess: false },
    ],
  ])('knows of %j how many processes there are', (env, wanted) => {
    const { processes, hasJobsProcess } = loadConfig(env);
    expect({ processes, hasJobsProcess }).toEqual(wanted);
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

  it('asks for the sender of mails when there is a mail server', () => {
    const smtp = { SERVICE_SMTP_URL: 'smtp://user:password@mail.example.com' };
    expect(problemsOf(smtp)).toEqual(['SERVICE_MAIL_FROM is required when SERVICE_SMTP_URL is set']);
    expect(problemsOf({ ...smtp, SERVICE_MAIL_FROM: 'nobody' })).toEqual([
      'SERVICE_MAIL_FROM must be an email address, or a name and an address in angle brackets',
    ]);
    const { smtpUrl, mailFrom } = loadConfig({
      ...smtp,
      SERVICE_MAIL_FROM: 'Tenure, Inc. <tenure@example.com>',
    });
    expect([smtpUrl, mailFrom]).toEqual([smtp.SERVICE_SMTP_URL, 'Tenure, Inc. <tenure@example.com>']);
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

  it('takes several replicas, and names the variable when one is no address', () => {
    const urls = 'postgres://a@b/c, postgres://d@e/f';
    expect(loadConfig({ SERVICE_DATABASE_REPLICA_URLS: urls }).replicaUrls).toEqual(urls.split(', '));
    expect(problemsOf({ SERVICE_DATABASE_REPLICA_URLS: 'postgres://a@b/c,' })).toEqual([
      'SERVICE_DATABASE_REPLICA_URLS must be a postgres:// or postgresql:// URL',
    ]);
  });

  it('treats an empty variable as unset', () => {
    expect(loadConfig({ PORT: '' }).port).toBe(8787);
  });

  it('traces as the standard variables say', () => {
    const protocolOf = (env: NodeJS.ProcessEnv) => loadConfig(env).tracesProtocol;
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
    expect(protocolOf({})).toBeNull();
    expect(protocolOf(endpoint)).toBe('http/protobuf');
    expect(protocolOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector/x' })).toBe('http/protobuf');
    expect(protocolOf({ OTEL_TRACES_EXPORTER: 'otlp' })).toBe('http/protobuf');
    expect(protocolOf({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' })).toBe('http/json');
    const both = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' };
    expect(protocolOf({ ...endpoint, ...both })).toBe('http/json');
    for (const off of [{ OTEL_SDK_DISABLED: 'TRUE' }, { OTEL_TRACES_EXPORTER: 'none' }]) {
      expect(protocolOf({ ...endpoint, ...off, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toBeNull();
    }
    expect(protocolOf({ ...endpoint, OTEL_SDK_DISABLED: '1' })).toBe('http/protobuf');
    expect(problemsOf({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toEqual([
      'OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json: traces are not sent by grpc',
    ]);
  });

  describe('in production', () => {
    const sound = {
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://tenure:qFh3vXw8Lr@db/tenure',
      SERVICE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      SERVICE_SIGNING_KEY: randomBytes(32).toString('base64'),
      SERVICE_PUBLIC_URL: 'https://purchases.example.com',
      SERVICE_METRICS_PORT: '9464',
      SERVICE_DEMO: 'false',
    };
    const variablesOf = (env: NodeJS.ProcessEnv): (string | undefined)[] =>
      problemsOf({ ...sound, ...env }).map((problem) => problem.split(' ')[0]);

    it('starts with random keys, an own password and https; also without password, and on localhost', () => {
      expect(loadConfig(sound).production).toBe(true);
      expect(variablesOf({ DATABASE_URL: 'postgres://tenure@db/tenure' })).toEqual([]);
      expect(variablesOf({ SERVICE_SIGNING_KEY: undefined })).toEqual([]);
      for (const url of ['http://localhost:8787', 'http://127.0.0.1', 'http://[::1]:80']) {
        expect(variablesOf({ SERVICE_PUBLIC_URL: url })).toEqual([]);
      }
    });

    it('names everything that is weak or meant for trials at once', () => {
      const zeros = Buffer.alloc(32).toString('base64');
      expect(
        variablesOf({
          DATABASE_URL: 'postgres://tenure:tenure@db/tenure',
          SERVICE_DATABASE_DIRECT_URL: 'postgres://tenure:Postgres@db/tenure',
          SERVICE_DATABASE_REPLICA_URLS: 'postgres://a:qFh3vXw8Lr@b/c, postgres://a:a@b/c',
          SERVICE_ENCRYPTION_KEY: zeros,
          SERVICE_SIGNING_KEY: zeros,
          SERVICE_PUBLIC_URL: 'http://purchases.example.com',
          SERVICE_DEMO: undefined,
          SERVICE_METRICS_PORT: undefined,
          SERVICE_SETUP_TOKEN: 'passwordpassword1',
          SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
          SERVICE_TEST_STORES: 'true',
        }),
      ).toEqual([
        'SERVICE_ENCRYPTION_KEY',
        'SERVICE_SIGNING_KEY',
        'SERVICE_SIGNING_KEY',
        'DATABASE_URL',
        'SERVICE_DATABASE_DIRECT_URL',
        'SERVICE_DATABASE_REPLICA_URLS',
        'SERVICE_PUBLIC_URL',
        'SERVICE_METRICS_PORT,',
        'SERVICE_SETUP_TOKEN',
        'SERVICE_DEMO',
        'SERVICE_ALLOW_PRIVATE_NETWORKS',
        'SERVICE_TEST_STORES',
      ]);
    });

    it.each([
      ['SERVICE_METRICS_PORT', '9464', true],
      ['SERVICE_METRICS_TOKEN', 'b1946ac92492d2347c6235b4', true],
      ['SERVICE_METRICS_PUBLIC', 'true', true],
      ['SERVICE_METRICS_PUBLIC', 'false', false],
      ['SERVICE_METRICS_TOKEN', '1234567890123456', false],
    ])('says who may read the metrics: %s=%s', (variable, value, isEnough) => {
      const problems = problemsOf({ ...sound, SERVICE_METRICS_PORT: undefined, [variable]: value });
      expect(problems).toEqual(isEnough ? [] : [expect.stringContaining(variable)]);
    });

    it('asks for what is missing, beside what is wrong', () => {
      const env = { SERVICE_ENCRYPTION_KEY: undefined, SERVICE_PUBLIC_URL: undefined, PORT: 'x' };
      expect(variablesOf(env)).toEqual(['PORT', 'SERVICE_ENCRYPTION_KEY', 'SERVICE_PUBLIC_URL']);
    });

    it.each([
      ['README.md', /^Set `NODE_ENV.*?`SERVICE_DEMO=false`/ms],
      ['docs/self-hosting.md', /^2\. `NODE_ENV.*?`SERVICE_DEMO=false`/ms],
    ])('starts with exactly the settings of %s', (file, part) => {
      const [text = ''] = part.exec(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')) ?? [];
      const reported = [...text.matchAll(/`([A-Z_]+)(?:=(\w+))?`/g)];
      const values: Record<string, string> = sound;
      const env = Object.fromEntries(reported.map(([, name = '', value]) => [name, value ?? values[name]]));
      expect(Object.keys(env).length).toBeGreaterThanOrEqual(5);
      expect(problemsOf(env)).toEqual([]);
      expect(loadConfig(env).production).toBe(true);
    });

    it('needs its own database, also for the spelling Production', () => {
      for (const NODE_ENV of ['production', 'Production', 'PRODUCTION']) {
        expect(variablesOf({ NODE_ENV, DATABASE_URL: undefined })).toEqual(['DATABASE_URL']);
      }
      expect(variablesOf({ DATABASE_URL: 'mysql://x' })).toEqual(['DATABASE_URL']);
    });

    it.each([
      'postgres://tenure:12345678@db/tenure',
      'postgres://tenure:postgres1@db/tenure',
      'postgres://tenure@db/tenure?password=tenure',
      'postgres://tenure:qFh3vXw8Lr@db/tenure?password=p%61ssword',
      'postgres://tenure:p%61ssword@db/tenure',
      'postgres://tenure:pass%word@db/tenure',
      'postgres://db/purchases?user=billing&password=Billing2026',
    ])('takes no password that can be guessed: %s', (url) => {
      expect(variablesOf({ DATABASE_URL: url })).toEqual(['DATABASE_URL']);
    });

    it('lets a weak key be rotated away', () => {
      expect(variablesOf({ SERVICE_OTHER_ENCRYPTION_KEY: key })).toEqual([]);
    });

    it('never reveals a secret', () => {
      const text = problemsOf({
        ...sound,
        SERVICE_ENCRYPTION_KEY: key,
        DATABASE_URL: 'postgres://a:hunter2@b/c',
      });
      expect(text).toHaveLength(2);
      expect(text.join()).not.toMatch(new RegExp(`hunter2|${key.slice(0, 8)}`));
    });

    it('depends only on NODE_ENV: elsewhere the same settings start', () => {
      expect(variablesOf({ NODE_ENV: 'test', SERVICE_ENCRYPTION_KEY: key, SERVICE_DEMO: 'true' })).toEqual(
        [],
      );
    });
  });
});
