import { ofKind, refusalOf, renderWith } from './chart-objects.mjs';
import { check } from './check.mjs';

const secret = { existing: 'tenure' };
/** Connections that a PostgreSQL with the default max_connections (100) offers: 3 are reserved. */
const DEFAULT_CONNECTIONS = 97;
/** Connections of a process beside its pool (src/cli/doctor/checks.ts). */
const BESIDE_POOL = 3;

/** Connections that all pods of a release can open during a rolling update. */
function connectionsOf(objects) {
  const deployments = ofKind(objects, 'Deployment').map(({ metadata, spec }) => {
    const scaler = ofKind(objects, 'HorizontalPodAutoscaler').find(
      (one) => one.metadata.name === metadata.name,
    );
    const pods = (scaler?.spec.maxReplicas ?? spec.replicas) + spec.strategy.rollingUpdate.maxSurge;
    const numberIn = (name, otherwise) =>
      Number(
        spec.template.spec.containers[0].env.find((variable) => variable.name === name)?.value ?? otherwise,
      );
    const pool = numberIn('SERVICE_DATABASE_POOL_SIZE', 20);
    return pods * numberIn('SERVICE_WORKERS', 1) * (pool + BESIDE_POOL);
  });
  return deployments.reduce((sum, one) => sum + one, 0);
}

/** Autoscalers and pools fit the database, or the chart says what they add up to. */
export function checkConnections() {
  const byDefault = connectionsOf(renderWith({ secret }));
  check(
    byDefault <= DEFAULT_CONNECTIONS,
    `${byDefault} of the ${DEFAULT_CONNECTIONS} connections of a default PostgreSQL are enough for all pods`,
  );
  const larger = {
    api: { autoscaling: { maxReplicas: 20 } },
    worker: { environment: { SERVICE_WORKERS: 2 } },
  };
  const unchecked = connectionsOf(renderWith({ secret, ...larger, database: { maxConnections: null } }));
  const refusal = refusalOf({ secret, ...larger });
  check(
    refusal?.includes(` = ${unchecked} connections, and database.maxConnections is ${DEFAULT_CONNECTIONS}`),
    `more is refused, with the sum: ${/pods may open .* connections/.exec(refusal)?.[0]}`,
  );
  check(
    refusalOf({ secret, ...larger, database: { maxConnections: unchecked - 1 } })?.includes(`= ${unchecked}`),
    'also by one connection',
  );
  const fitting = { secret, ...larger, database: { maxConnections: unchecked } };
  check(connectionsOf(renderWith(fitting)) === unchecked, 'and rendered where the database has as many');
  const fixed = { autoscaling: { enabled: false }, replicas: 9 };
  check(refusalOf({ secret, api: fixed })?.includes('10 api pods x 10'), 'fixed replicas count, too');
  const own = { secret, environment: { SERVICE_DATABASE_POOL_SIZE: 20 } };
  check(refusalOf(own)?.includes('5 api pods x 23'), 'and a pool size among the variables');
  const serverDefault = { secret, database: { poolSize: null } };
  check(refusalOf(serverDefault)?.includes('5 api pods x 23'), "and the server's own without one");
}
