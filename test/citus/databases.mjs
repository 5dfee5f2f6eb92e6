import pg from 'pg';

/** Runs commands on a database of a server; without a name, on the one in its address. */
export async function runOn(server, commands, name) {
  const url = new URL(server);
  if (name !== undefined) url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    for (const command of commands) await client.query(command);
  } finally {
    await client.end();
  }
}

const OF_THIS_NODE = 'SET citus.enable_create_database_propagation = off';

/** Creates a database without tables on one node. */
export async function createOnNode(server, name) {
  await runOn(server, [OF_THIS_NODE, `CREATE DATABASE ${name}`]);
  await runOn(server, ['CREATE EXTENSION citus'], name);
}

/** Creates a database without tables on all nodes. @param servers addresses; the coordinator first */
export async function createOnNodes(servers, name) {
  const [coordinator, ...workers] = servers.map((server) => new URL(server));
  for (const server of servers) await createOnNode(server, name);
  await runOn(
    servers[0],
    [
      `SELECT citus_set_coordinator_host('${coordinator.hostname}', ${coordinator.port})`,
      ...workers.map(({ hostname, port }) => `SELECT citus_add_node('${hostname}', ${port})`),
    ],
    name,
  );
}

/** Ends the connections to a database, and allows no more, so that it can be cloned. */
export async function closeOnNodes(servers, name) {
  for (const server of servers) {
    await runOn(server, [
      `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
    ]);
  }
}

/** The metadata of Citus names nodes and no databases, so a clone on each node is a cluster of its own. */
export async function cloneOnNodes(servers, template, name) {
  await Promise.all(
    servers.map((server) =>
      runOn(server, [OF_THIS_NODE, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`]),
    ),
  );
}

export async function dropOnNodes(servers, name) {
  for (const server of servers) await runOn(server, [OF_THIS_NODE, `DROP DATABASE ${name} WITH (FORCE)`]);
}
