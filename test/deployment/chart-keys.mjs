import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { chart } from './chart.mjs';
import { ofKind, renderWith, TMP_MOUNT, tmpOf } from './chart-objects.mjs';
import { check } from './check.mjs';

const file = fileURLToPath(new URL('values-everything.yaml', import.meta.url));

/** Keys that a schema names and `values` do not have, by their paths. */
function missingKeys(schema, values, root, path = '') {
  const { properties = {} } = schema.$ref ? root.definitions[schema.$ref.split('/').at(-1)] : schema;
  return Object.entries(properties).flatMap(([name, one]) => {
    const key = path ? `${path}.${name}` : name;
    // Any variable, any time of a probe; what `api` takes, `worker` takes.
    if (/(^|\.)environment\.|Probe\.|^worker\./.test(key)) return [];
    if (!(name in values)) return [key];
    const value = values[name];
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isMap ? missingKeys(one, value, root, key) : [];
  });
}

/** Keys of a schema without a description, by their paths. Variables have theirs in docs/configuration.md. */
function undescribedKeys({ properties = {} }, path) {
  return Object.entries(properties).flatMap(([name, one]) => {
    if (/environment$|Probe$/.test(path)) return [];
    const missing = one.description || one.$ref ? [] : [`${path}.${name}`];
    return [...missing, ...undescribedKeys(one, `${path}.${name}`)];
  });
}

function checkPod({ metadata, spec }, given, every) {
  const merged = { ...every.podLabels, ...given.podLabels };
  const has = (all) => Object.entries(merged).every(([name, value]) => all[name] === value);
  check(has(metadata.labels) && has(metadata.annotations), 'a pod has its labels and annotations');
  check(metadata.labels.team === 'payments', 'and those of everything');
  for (const name of [
    'nodeSelector',
    'affinity',
    'tolerations',
    'priorityClassName',
    'runtimeClassName',
    'schedulerName',
    'dnsPolicy',
    'dnsConfig',
    'hostAliases',
    'initContainers',
  ]) {
    const wanted = given[name] ?? every[name];
    const isEmpty = Array.isArray(wanted) && wanted.length === 0;
    check(isDeepStrictEqual(spec[name], isEmpty ? undefined : wanted), `${name} is as given`);
  }
  check(
    spec.securityContext.fsGroup === 2000 && spec.imagePullSecrets[0].name === 'registry',
    'so are its rights and the secret of its registry',
  );
  const [{ image, imagePullPolicy, env, envFrom, resources, securityContext, volumeMounts }] =
    spec.containers;
  check(
    image === `${every.image.repository}@${every.image.digest}` && imagePullPolicy === 'Always',
    'a digest stands in place of a tag',
  );
  check(
    securityContext.privileged === false &&
      resources.limits.emitted === given.resources.limits.emitted &&
      isDeepStrictEqual(spec.volumes, [tmpOf(every.tmpVolume.sizeLimit), ...every.extraVolumes]) &&
      isDeepStrictEqual(volumeMounts, [TMP_MOUNT, ...every.extraVolumeMounts]),
    'with the resources and files that are given',
  );
  const valueOf = (name) => env.find((one) => one.name === name);
  const variables = [...every.extraEnv, { name: 'SERVICE_DRAIN_MS', value: '6000' }];
  const { valueFrom } = every.environment.SERVICE_METRICS_TOKEN;
  const field = (name, fieldPath) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
  check(
    [
      ...variables,
      { name: 'SERVICE_METRICS_TOKEN', valueFrom },
      { name: 'SERVICE_DATABASE_POOL_SIZE', value: '12' },
      field('POD_NAME', 'metadata.name'),
      field('POD_NAMESPACE', 'metadata.namespace'),
    ].every((one) => isDeepStrictEqual(valueOf(one.name), one)),
    'variables are texts, or come from elsewhere; a pod knows its name',
  );
  check(isDeepStrictEqual(envFrom.at(-1), every.extraEnvFrom[0]), 'also all of a map');
}

function checkDeployment({ metadata, spec }, given, every) {
  const { template } = spec;
  checkPod(template, given, every);
  const [server, sidecar] = template.spec.containers;
  const wanted = (name) => given[name] ?? every[name];
  check(
    isDeepStrictEqual([server.lifecycle, [sidecar]], [wanted('lifecycle'), wanted('extraContainers')]),
    'beside the server there are its sidecars',
  );
  const constraints = wanted('topologySpreadConstraints').map((one) => ({
    labelSelector: spec.selector,
    ...one,
  }));
  check(
    isDeepStrictEqual(template.spec.topologySpreadConstraints, constraints),
    'pods spread as they should, among those of their component',
  );
  const { startupProbe, livenessProbe, readinessProbe } = server;
  check(
    isDeepStrictEqual(
      [startupProbe.failureThreshold, livenessProbe.timeoutSeconds, readinessProbe.periodSeconds],
      [90, 7, 3],
    ) && [startupProbe, livenessProbe].every(({ httpGet }) => httpGet.path === '/healthz'),
    'probes ask the same, at the times that are given',
  );
  check(
    spec.revisionHistoryLimit === 2 &&
      template.spec.terminationGracePeriodSeconds === 120 &&
      metadata.annotations['reloader.stakater.com/auto'] === 'true',
    'the deployment has its annotations and limits',
  );
}

function checkScaling(objects, { api }) {
  const { metrics, behavior } = ofKind(objects, 'HorizontalPodAutoscaler')[0].spec;
  check(
    isDeepStrictEqual(
      [metrics.at(-1), behavior],
      [api.autoscaling.extraMetrics[0], api.autoscaling.behavior],
    ),
    'pods scale by further metrics',
  );
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy } = ofKind(
    objects,
    'PodDisruptionBudget',
  )[0].spec;
  check(
    minAvailable === '50%' &&
      maxUnavailable === undefined &&
      unhealthyPodEvictionPolicy === 'IfHealthyBudget',
    'the budget of disruptions is the one that is given',
  );
}

function checkAddresses(objects, { service, ingress, httpRoute }) {
  const { metadata, spec } = ofKind(objects, 'Service').find((one) => one.spec.type === 'LoadBalancer');
  const { labels, annotations, port, nodePort, ...given } = service;
  check(
    Object.entries(given).every(([name, value]) => isDeepStrictEqual(spec[name], value)) &&
      isDeepStrictEqual(metadata.annotations, annotations) &&
      metadata.labels.exposed === labels.exposed &&
      spec.ports[0].port === port &&
      spec.ports[0].nodePort === nodePort,
    'the service is the load balancer that is given',
  );
  const one = ofKind(objects, 'Ingress')[0];
  const hosts = [ingress.host, ...ingress.extraHosts];
  check(
    isDeepStrictEqual(
      one.spec.rules.map(({ host }) => host),
      hosts,
    ) &&
      isDeepStrictEqual(one.spec.tls, [{ hosts, secretName: ingress.tlsSecretName }, ...ingress.extraTls]) &&
      one.spec.rules.every(({ http }) => http.paths[0].path === '/v1') &&
      one.spec.rules[0].http.paths[0].pathType === ingress.pathType &&
      one.metadata.labels.exposed === 'yes',
    'the ingress has all hosts',
  );
  const route = ofKind(objects, 'HTTPRoute')[0];
  check(
    isDeepStrictEqual(route.spec, {
      parentRefs: httpRoute.parentRefs,
      hostnames: httpRoute.hostnames,
      rules: [{ backendRefs: [{ name: metadata.name, port }], filters: httpRoute.filters }],
    }) && route.metadata.annotations.note === 'route',
    'the route leads to the service',
  );
}

function checkMonitoring(objects, { serviceMonitor, prometheusRule }) {
  const { metadata, spec } = ofKind(objects, 'ServiceMonitor')[0];
  const [endpoint] = spec.endpoints;
  check(
    ['interval', 'scrapeTimeout', 'honorLabels', 'relabelings', 'metricRelabelings'].every((name) =>
      isDeepStrictEqual(endpoint[name], serviceMonitor[name]),
    ) && isDeepStrictEqual(spec.namespaceSelector, { matchNames: ['apps'] }),
    'Prometheus asks as it should, from another namespace',
  );
  const rule = ofKind(objects, 'PrometheusRule')[0];
  const dashboard = ofKind(objects, 'ConfigMap').find(({ data }) => data?.['tenure.json']);
  check(
    [metadata, rule.metadata, dashboard.metadata].every(({ namespace }) => namespace === 'monitoring') &&
      metadata.annotations.note === 'monitor' &&
      rule.metadata.annotations.note === 'rule',
    'monitor, rules and dashboard are there, too',
  );
  const alerts = rule.spec.groups.flatMap(({ rules }) => rules);
  check(
    alerts.every(({ alert, annotations }) =>
      isDeepStrictEqual(annotations.runbook_url, `${prometheusRule.runbookUrl}#${alert.toLowerCase()}`),
    ),
    'alerts lead to the runbook where it is read',
  );
}

/** Every key that the schema knows has its effect. */
export function checkEveryKey() {
  const values = parse(readFileSync(file, 'utf8'), { merge: true });
  const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'));
  const missing = missingKeys(schema, values, schema);
  check(missing.length === 0, `every key of the chart is tried ${missing.join(', ')}`);
  const parts = Object.entries({ '': schema, ...schema.definitions });
  const undescribed = parts.flatMap(([name, part]) => undescribedKeys(part, name));
  check(undescribed.length === 0, `and described ${undescribed.join(', ')}`);
  const objects = renderWith(values);
  const [api, worker] = ['api', 'worker'].map((role) =>
    ofKind(objects, 'Deployment').find(({ metadata }) => metadata.name === `iap-${role}`),
  );
  checkDeployment(api, values.api, values);
  checkDeployment(worker, values.worker, values);
  const [job] = ofKind(objects, 'Job');
  checkPod(job.spec.template, values.migrationJob, values);
  check(
    job.metadata.annotations['argocd.argoproj.io/hook'] === 'PreSync' && job.spec.backoffLimit === 5,
    'the migration has its annotations',
  );
  check(
    objects.every(({ metadata }) => metadata.labels === undefined || metadata.labels.team === 'payments') &&
      api.metadata.labels['app.kubernetes.io/name'] === 'purchases',
    'objects have the names and labels that are given',
  );
  const data = ofKind(objects, 'Secret')[0].stringData;
  check(
    data.SERVICE_DATABASE_DIRECT_URL === values.secret.databaseDirectUrl,
    'the secret names the address beside the pooler',
  );
  checkScaling(objects, values);
  checkAddresses(objects, values);
  checkMonitoring(objects, values);
  const names = ofKind(objects, 'ConfigMap').map(({ metadata }) => metadata.name);
  check(names.includes('shop-object') && names.includes('iap-text'), 'further objects are rendered');
}
