import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { ofKind, podsOf, renderWith, TMP_MOUNT, tmpOf } from './chart-objects.mjs';
import { assertAccepted, check } from './check.mjs';

const adapter = fileURLToPath(new URL('../../docker/prometheus-adapter.yaml', import.meta.url));

/** Variables of a pod by name, those of the chart's own secret among them. */
function variablesOf(pod, objects) {
  const [{ env, envFrom = [] }] = pod.containers;
  const names = env.map(({ name }) => name);
  check(new Set(names).size === names.length, `${names.length} variables have ${names.length} names`);
  const secrets = ofKind(objects, 'Secret');
  const fromSecrets = envFrom.map(
    ({ secretRef }) => secrets.find(({ metadata }) => metadata.name === secretRef.name)?.stringData,
  );
  const known = env.filter(({ valueFrom }) => !valueFrom).map(({ name, value }) => [name, value]);
  return Object.assign({}, ...fromSecrets, Object.fromEntries(known));
}

async function checkVariables(secret) {
  const environment = {
    PORT: 9000,
    SERVICE_METRICS_PORT: 9001,
    SERVICE_TRUST_PROXY: 2,
    SERVICE_DRAIN_MS: 15_000,
    SERVICE_SHUTDOWN_GRACE_MS: 20_500,
    SERVICE_RATE_LIMIT_CHARTS_METRICS: 1_000_000,
    OTEL_TRACES_SAMPLER_ARG: 0.25,
  };
  for (const given of [{}, environment]) {
    const objects = renderWith({ secret, environment: given });
    for (const pod of podsOf(objects)) {
      const variables = variablesOf(pod, objects);
      const isGiven = Object.entries(given).every(([name, value]) => variables[name] === String(value));
      check(isGiven, `${Object.keys(given).length} given variables are as given`);
      const config = await assertAccepted({ NODE_ENV: 'production', ...variables });
      if (pod.restartPolicy === 'Never') continue;
      const seconds = (config.drainMs + config.shutdownGraceMs) / 1000;
      check(
        pod.terminationGracePeriodSeconds >= seconds + 15,
        `a pod that drains has ${pod.terminationGracePeriodSeconds} s for ${seconds}`,
      );
      const ports = pod.containers[0].ports.map(({ containerPort }) => containerPort);
      check(
        isDeepStrictEqual(ports, [config.port, config.metricsPort]),
        `and listens at ${ports.join(' and ')}`,
      );
    }
  }
}

/** The migration runs before the release's own objects are there, and where the servers will run. */
function checkMigration(secret) {
  const placement = {
    nodeSelector: { pool: 'backend' },
    tolerations: [{ key: 'backend', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
  };
  const volumes = [{ name: 'files', secret: { secretName: 'files' } }];
  const volumeMounts = [{ name: 'files', mountPath: '/etc/tenure', readOnly: true }];
  const mounted = { extraVolumes: volumes, extraVolumeMounts: volumeMounts };
  const objects = renderWith({ secret, ...placement, ...mounted });
  for (const pod of podsOf(objects)) {
    const { nodeSelector, tolerations, affinity } = pod;
    check(
      isDeepStrictEqual({ nodeSelector, tolerations, affinity }, placement),
      `a pod runs where it should`,
    );
    const isMounted = isDeepStrictEqual(
      [pod.volumes, pod.containers[0].volumeMounts],
      [
        [tmpOf('1Gi'), ...volumes],
        [TMP_MOUNT, ...volumeMounts],
      ],
    );
    check(isMounted, 'with its files');
  }
  const hookWeight = ({ metadata }) => Number(metadata.annotations?.['helm.sh/hook-weight']);
  const isHook = ({ metadata }) => metadata.annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade';
  const [job] = ofKind(objects, 'Job');
  const needed = [
    ['Secret', job.spec.template.spec.containers[0].envFrom[0].secretRef.name],
    ['ServiceAccount', job.spec.template.spec.serviceAccountName],
  ];
  for (const [kind, name] of needed) {
    const one = ofKind(objects, kind).find(({ metadata }) => metadata.name === name);
    check(
      one && isHook(one) && hookWeight(one) < hookWeight(job),
      `${kind} ${name} is there before the migration`,
    );
    const deletion = one.metadata.annotations['helm.sh/hook-delete-policy'];
    check(deletion.includes('hook-succeeded'), 'and gone after it');
  }
  const own = ofKind(objects, 'Secret').filter((object) => !isHook(object));
  check(own.length === 1, 'the secret of the servers belongs to the release');
  const sums = (given) =>
    ofKind(renderWith({ secret: given }), 'Deployment').map(
      ({ spec }) => spec.template.metadata.annotations?.['checksum/secret'],
    );
  const [before, after] = [sums(secret), sums({ ...secret, signingKey: secret.encryptionKey })];
  check(before[0] && before[0] !== after[0], 'another key starts servers anew');
  check(sums({ existing: 'tenure' })[0] === undefined, 'an existing secret is not looked into');
  const files = { DATABASE_URL_FILE: '/etc/tenure/url', SERVICE_ENCRYPTION_KEY_FILE: '/etc/tenure/key' };
  const withFiles = renderWith({ environment: files, ...mounted });
  const needsNone = podsOf(withFiles).every(({ containers }) => containers[0].envFrom === undefined);
  check(
    needsNone && ofKind(withFiles, 'Secret').length === 0,
    'secrets from files need no secret of variables',
  );
}

function checkRoles(secret) {
  let isRefused = false;
  try {
    renderWith({ secret, environment: { SERVICE_ROLE: 'api' } });
  } catch {
    isRefused = true;
  }
  check(isRefused, 'refuses one role for all processes');
}

function checkNetwork(secret) {
  const policyOf = (networkPolicy) => ofKind(renderWith({ secret, networkPolicy }), 'NetworkPolicy')[0].spec;
  const [http, metrics] = policyOf({}).ingress;
  check(
    http.ports[0].port === 'http' && http.from === undefined,
    'load balancers reach pods from any address',
  );
  check(metrics.ports[0].port === 'metrics' && metrics.from.length === 1, 'metrics are for pods only');
  const from = [{ ipBlock: { cidr: '10.0.0.0/8' } }];
  const egress = [
    { to: [{ namespaceSelector: { matchLabels: { name: 'otel' } } }], ports: [{ port: 4318 }] },
  ];
  const narrowed = policyOf({ from, metricsFrom: from, egress });
  check(
    narrowed.ingress.every((rule) => isDeepStrictEqual(rule.from, from)),
    'or only from where they are let in',
  );
  check(
    narrowed.egress.some((rule) => isDeepStrictEqual(rule, egress[0])),
    'and go where else they may',
  );
}

function checkIngress(secret) {
  const name = 'nginx.ingress.kubernetes.io/proxy-body-size';
  const annotationsOf = (annotations) =>
    ofKind(renderWith({ secret, ingress: { enabled: true, annotations } }), 'Ingress')[0].metadata
      .annotations;
  check(annotationsOf({})[name] === '10m', 'nginx lets receipts through');
  const own = annotationsOf({ [name]: '20m', team: 'shop' });
  check(isDeepStrictEqual(own, { [name]: '20m', team: 'shop' }), 'unless configured otherwise');
}

/** Workers scale by series that the adapter's rule serves, each of them once for this release. */
function checkScaling(secret) {
  const objects = renderWith({
    secret,
    serviceMonitor: { enabled: true },
    worker: { autoscaling: { oldestDueSeconds: { enabled: true } } },
  });
  const scaler = ofKind(objects, 'HorizontalPodAutoscaler').find(({ metadata }) =>
    metadata.name.endsWith('-worker'),
  );
  const [rule] = parse(readFileSync(adapter, 'utf8')).rules.external;
  const served = new RegExp(`^(?:${/=~"(.*)"/.exec(rule.seriesQuery)[1]})$`);
  const external = scaler.spec.metrics.flatMap((metric) => metric.external ?? []);
  check(
    external.length === 3 && external.every(({ metric }) => served.test(metric.name)),
    `workers scale by ${external.map(({ metric }) => metric.name).join(', ')}`,
  );
  check(rule.metricsQuery.startsWith('max by (namespace) ('), 'each the maximum over the processes');
  const [monitor] = ofKind(objects, 'ServiceMonitor');
  const services = ofKind(objects, 'Service').filter(({ metadata }) =>
    Object.entries(monitor.spec.selector.matchLabels).every(
      ([label, value]) => metadata.labels[label] === value,
    ),
  );
  check(
    services.length === 1 &&
      external.every(({ metric }) => metric.selector.matchLabels.service === services[0].metadata.name),
    `of ${services[0].metadata.name}, which Prometheus asks`,
  );
}

/** A token in the secret is asked for by the servers, and sent by Prometheus. */
async function checkMetricsToken(secret) {
  const monitorOf = (values) =>
    ofKind(
      renderWith({ ...values, serviceMonitor: { enabled: true, ...values.serviceMonitor } }),
      'ServiceMonitor',
    )[0].spec.endpoints[0];
  check(monitorOf({ secret }).authorization === undefined, 'Prometheus sends no token where none is set');
  const values = { secret: { ...secret, metricsToken: 'b1946ac92492d2347c6235b4' } };
  const objects = renderWith(values);
  const [pod] = podsOf(objects);
  const config = await assertAccepted({ NODE_ENV: 'production', ...variablesOf(pod, objects) });
  const { name, key } = monitorOf(values).authorization.credentials;
  const sent = ofKind(objects, 'Secret').find(({ metadata }) => metadata.name === name).stringData[key];
  check(sent === config.metricsToken, 'it sends the token that the servers ask for');
  const existing = monitorOf({ secret: { existing: 'own' }, serviceMonitor: { bearerToken: true } });
  check(existing.authorization.credentials.name === 'own', 'also from a secret of its own');
}

/** The root file system is read-only, so exports need a directory of their own; one that is given replaces it. */
function checkTemporaryFiles(secret) {
  const mountsOf = (values) =>
    podsOf(renderWith({ secret, ...values })).map(({ volumes = [], containers: [{ volumeMounts = [] }] }) => {
      const mounts = volumeMounts.filter(({ mountPath }) => mountPath.startsWith('/tmp'));
      return mounts.map((mount) => volumes.filter(({ name }) => name === mount.name));
    });
  const isEach = (values, wanted) => mountsOf(values).every((mounts) => isDeepStrictEqual(mounts, wanted));
  check(isEach({}, [[tmpOf('1Gi')]]), 'every pod can write temporary files');
  check(isEach({ tmpVolume: { sizeLimit: '5Gi' } }, [[tmpOf('5Gi')]]), 'as much as is configured');
  const own = { name: 'tmp', emptyDir: { medium: 'Memory' } };
  for (const mountPath of ['/tmp', '/tmp/']) {
    const given = { extraVolumes: [own], extraVolumeMounts: [{ name: 'tmp', mountPath }] };
    check(isEach(given, [[own]]), `or to a volume of one's own at ${mountPath}`);
  }
  check(isEach({ tmpVolume: { enabled: false } }, []), 'unless it is left out');
}

/** Checks the effects of the values of the chart. */
export async function checkChartValues(encryptionKey) {
  const secret = { databaseUrl: 'postgres://db/tenure', encryptionKey };
  await checkVariables(secret);
  checkRoles(secret);
  checkTemporaryFiles(secret);
  checkMigration(secret);
  checkNetwork(secret);
  await checkMetricsToken(secret);
  checkIngress(secret);
  checkScaling(secret);
}
