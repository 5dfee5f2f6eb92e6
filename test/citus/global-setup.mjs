import { build } from '../../scripts/build.mjs';
import { startCluster } from './cluster.mjs';

/**
 * Uses the cluster at `CITUS_URL` (addresses of the coordinator and of its workers, separated by commas), or starts one
 * from the programs in `CITUS_BIN`.
 */
export default async function globalSetup() {
  await build();
  const { CITUS_URL: url, CITUS_BIN: programs } = process.env;
  if (!url && !programs) {
    process.stdout.write(
      'Skipped: set CITUS_URL, or CITUS_BIN to the programs of a PostgreSQL with Citus.\n',
    );
    return;
  }
  if (url) return;
  const cluster = await startCluster(programs);
  process.env.CITUS_URL = cluster.urls.join(',');
  globalThis.tenureCitus = cluster;
}
