import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Region, RegionAddresses } from './enterprise-settings.js';
import { settings, type SettingValues } from './config.schema.js';
import { productionProblems } from './production-rules.js';
import type { OutboundAllow } from './outbound-allow.js';
import type { Setting } from './setting.js';
import type { OtlpProtocol } from './trace-settings.js';

/** The validated configuration, injected as a class. No other code reads `process.env`. */
export class Config {
  readonly production!: boolean;
  readonly port!: number;
  readonly host!: string;
  readonly metricsPort!: number | null;
  readonly metricsToken!: string | null;
  readonly metricsPublic!: boolean;
  readonly role!: 'all' | 'api' | 'worker';
  readonly workers!: number;
  readonly jobsProcess!: boolean;
  readonly dashboard!: boolean;
  readonly apiDocs!: boolean;
  readonly publicUrl!: string | null;
  readonly databaseUrl!: string | null;
  readonly directDatabaseUrl!: string | null;
  readonly replicaUrls!: string[];
  readonly replicaWaitMs!: number;
  readonly dataDir!: string;
  readonly databasePoolSize!: number;
  readonly reportConnections!: number;
  readonly reportTimeoutMs!: number;
  readonly chartsParallel!: number;
  readonly databaseTimeoutMs!: number;
  readonly namedStatements!: boolean;
  readonly sqlAccess!: 'off' | 'replica' | 'primary';
  readonly sqlPublicHost!: string | null;
  readonly sqlStatementSeconds!: number;
  readonly encryptionKey!: Buffer | null;
  readonly otherEncryptionKey!: Buffer | null;
  readonly signingKey!: Buffer | null;
  readonly demo!: boolean;
  readonly edition!: 'self-hosted' | 'cloud';
  readonly allowSignup!: boolean;
  readonly setupToken!: string | null;
  readonly smtpUrl!: string | null;
  readonly mailFrom!: string | null;
  readonly mailReplyTo!: string | null;
  readonly oauthDocuments!: boolean;
  readonly oauthDocumentsAllowLocal!: boolean;
  readonly refreshRepeatSeconds!: number;
  readonly firebaseKeysUrl!: string | null;
  readonly allowPrivateNetworks!: boolean;
  readonly outboundAllow!: OutboundAllow;
  readonly exportDir!: string | null;
  readonly exportConcurrency!: number;
  readonly exportSnapshotMinutes!: number;
  readonly licenseKey!: string | null;
  readonly enterpriseDevelopment!: boolean;
  readonly licensePublicKeys!: Buffer[] | null;
  readonly region!: Region;
  readonly regionUrls!: RegionAddresses | null;
  readonly dnsServers!: string[];
  readonly ssoTxtPrefix!: string;
  readonly samlAllowSha1!: boolean;
  readonly mcpOrigins!: string[];
  readonly trustProxy!: number;
  readonly logLevel!: string;
  readonly logAppUserIds!: boolean;
  readonly podName!: string | null;
  readonly kubernetesHost!: string | null;
  readonly otlpEndpoint!: string | null;
  readonly otlpTracesEndpoint!: string | null;
  readonly otlpProtocol!: OtlpProtocol;
  readonly otlpTracesProtocol!: OtlpProtocol | null;
  readonly tracesExporter!: 'otlp' | 'none' | null;
  readonly tracesSampler!: string | null;
  readonly otelDisabled!: boolean;
  readonly slowRequestMs!: number;
  readonly maxRequestsInFlight!: number;
  readonly maxBodiesArriving!: number;
  readonly maxBodiesArrivingPerAddress!: number;
  readonly bodyTimeoutMs!: number;
  readonly maxBodyBytesInFlight!: number;
  readonly drainMs!: number;
  readonly shutdownGraceMs!: number;
  readonly fxProvider!: 'static' | 'http' | 'none';
  readonly fxUrl!: string | null;
  readonly rateLimitCustomerInformation!: number;
  readonly rateLimitProjectConfiguration!: number;
  readonly rateLimitChartsMetrics!: number;
  readonly rateLimitMcp!: number;
  readonly rateLimitScim!: number;
  readonly dueWorkPerSecond!: number;
  readonly webhookConcurrency!: number;
  readonly webhookEndpointConcurrency!: number;
  readonly webhookLeaseMs!: number;
  readonly webhookCircuitFailures!: number;
  readonly webhookReplayRate!: number;
  readonly webhookLogDays!: number;
  readonly sdkEventDays!: number;
  readonly sdkEventLimit!: number;
  readonly importHoldDays!: number;
  readonly appleOnlineChecks!: boolean;
  readonly testStores!: boolean;
  readonly appleApiUrl!: string | null;
  readonly appleSandboxApiUrl!: string | null;
  readonly testAppleRoots!: string | null;
  readonly appleConnectUrl!: string | null;
  readonly paddleApiUrl!: string | null;
  readonly stripeApiUrl!: string | null;
  readonly amazonReceiptsUrl!: string | null;
  readonly amazonSnsUrl!: string | null;
  readonly rokuApiUrl!: string | null;
  readonly rokuKeysUrl!: string | null;
  readonly playApiUrl!: string | null;
  readonly googleTokenUrl!: string | null;
  readonly googleCertsUrl!: string | null;
  readonly destinationsUrl!: string | null;

  constructor(values: SettingValues) {
    Object.assign(this, values, {
      allowPrivateNetworks: values.allowPrivateNetworks ?? (values.demo && values.databaseUrl === null),
      reportConnections: values.reportConnections ?? Math.max(1, Math.floor(values.databasePoolSize / 5)),
    });
  }

  /** Whether the enterprise edition is loaded: without it, none of its routes exist. */
  get isEnterprise(): boolean {
    return this.licenseKey !== null || this.enterpriseDevelopment;
  }

  get runsJobs(): boolean {
    return this.role !== 'api';
  }

  /** Processes on this machine that serve requests or run jobs. */
  get processes(): number {
    return this.workers + Number(this.hasJobsProcess);
  }

  get hasJobsProcess(): boolean {
    return this.jobsProcess && this.role === 'all';
  }

  get mainConnections(): number {
    return this.databasePoolSize - this.reportConnections;
  }

  /** Null if tracing is off. */
  get tracesProtocol(): OtlpProtocol | null {
    const { otelDisabled, tracesExporter, otlpEndpoint, otlpTracesEndpoint } = this;
    if (otelDisabled || tracesExporter === 'none') return null;
    if (tracesExporter === null && otlpEndpoint === null && otlpTracesEndpoint === null) return null;
    return this.otlpTracesProtocol ?? this.otlpProtocol;
  }

  /** Null outside Kubernetes. */
  get ownPodName(): string | null {
    return this.podName ?? (this.kubernetesHost === null ? null : hostname());
  }

  /** Maximum number of traces started per second by this process; null if another sampler decides. */
  get tracesPerSecond(): number | null {
    return this.tracesSampler === null ? 50 : null;
  }

  /** URL at which clients reach the server, without a trailing slash. */
  get baseUrl(): string {
    return this.publicUrl ?? `http://localhost:${this.port}`;
  }

  /** Returns a copy with values known only after startup, such as the port or the embedded database. */
  with(changes: Partial<SettingValues>): Config {
    return new Config({ ...this, ...changes });
  }
}

export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

function rawValue(
  definition: Setting<unknown>,
  env: NodeJS.ProcessEnv,
  problems: string[],
): string | undefined {
  const direct = env[definition.variable];
  const file = definition.secret ? env[`${definition.variable}_FILE`] : undefined;
  if (direct !== undefined && file !== undefined) {
    problems.push(`${definition.variable} and ${definition.variable}_FILE are both set; set one of them`);
    return undefined;
  }
  if (file === undefined) return direct === '' ? undefined : direct;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    problems.push(`${definition.variable}_FILE cannot be read: ${(error as Error).message}`);
    return undefined;
  }
}

/** @throws ConfigError listing all problems */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries<Setting<unknown>>(settings)) {
    const raw = rawValue(definition, env, problems);
    values[name] = definition.default;
    if (raw === undefined) continue;
    try {
      values[name] = definition.parse(raw);
    } catch (error) {
      problems.push(`${definition.variable} ${(error as Error).message}`);
    }
  }
  if (values.databaseUrl !== null && values.encryptionKey === null) {
    const named = settings.encryptionKey.variable;
    if (!problems.some((problem) => problem.startsWith(named))) {
      problems.push(`${named} is required when ${settings.databaseUrl.variable} is set (32 bytes in base64)`);
    }
  }
  if (values.fxProvider === 'http' && values.fxUrl === null) {
    const { fxUrl, fxProvider } = settings;
    if (!problems.some((problem) => problem.startsWith(fxUrl.variable))) {
      problems.push(`${fxUrl.variable} is required when ${fxProvider.variable} is http`);
    }
  }
  if (values.smtpUrl !== null && values.mailFrom === null) {
    const { smtpUrl, mailFrom } = settings;
    if (!problems.some((problem) => problem.startsWith(mailFrom.variable))) {
      problems.push(`${mailFrom.variable} is required when ${smtpUrl.variable} is set`);
    }
  }
  if (Number(values.reportConnections ?? 0) >= Number(values.databasePoolSize)) {
    const { reportConnections, databasePoolSize } = settings;
    problems.push(`${reportConnections.variable} must be less than ${databasePoolSize.variable}`);
  }
  if (values.metricsPort === values.port && values.port !== 0) {
    problems.push(`${settings.metricsPort.variable} must not be ${settings.port.variable}`);
  }
  const config = new Config(values as SettingValues);
  if (config.tracesProtocol === 'grpc') {
    const { otlpProtocol, otlpTracesProtocol } = settings;
    const { variable } = config.otlpTracesProtocol === null ? otlpProtocol : otlpTracesProtocol;
    problems.push(`${variable} must be http/protobuf or http/json: traces are not sent by grpc`);
  }
  if (values.production === true) {
    const reported = new Set(problems.map((problem) => problem.split(' ')[0]));
    // A value that is set but invalid is not also reported as missing.
    const more = productionProblems(values as SettingValues);
    problems.push(...more.filter((problem) => !reported.has(problem.split(' ')[0])));
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}
