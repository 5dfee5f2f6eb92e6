import { randomBytes } from 'node:crypto';
import { buildOrExit } from '../../scripts/build.mjs';
import { checkChart } from './chart.mjs';
import { checkConnections } from './chart-connections.mjs';
import { checkEveryKey } from './chart-keys.mjs';
import { checkOlderValues } from './chart-upgrade.mjs';
import { checkChartValues } from './chart-values.mjs';
import { checkCompose } from './compose.mjs';
import { runsAsFiles, runsInEngine } from './image-runners.mjs';
import { checkImage } from './image.mjs';
import { checkPrometheus } from './prometheus.mjs';

/**
 * Checks what teams deploy: the Helm chart (`helm lint`, what it renders against the schemas of Kubernetes, and what its
 * values do), the compose files with their proxy, alert rules and dashboard on a real scrape, and the image's file tree,
 * made as in the Dockerfile and run by a user who may write nowhere. `HELM` names the program if it is not on the PATH.
 * With `--image` it runs the image that docker/check.sh built: `IMAGE` with `ENGINE` and the options of `ENGINE_RUN`.
 */
const encryptionKey = randomBytes(32).toString('base64');

await buildOrExit();
if (process.argv.includes('--image')) {
  const { IMAGE: image, ENGINE: engine, ENGINE_RUN: run } = process.env;
  await checkImage(encryptionKey, (shared) => runsInEngine({ image, engine, run: run.split(' '), shared }));
} else {
  checkChart(encryptionKey);
  await checkChartValues(encryptionKey);
  checkEveryKey();
  checkConnections();
  checkOlderValues();
  await checkCompose(encryptionKey);
  await checkPrometheus();
  await checkImage(encryptionKey, runsAsFiles);
}
