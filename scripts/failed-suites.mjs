import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Prints the suites that failed in a run of Jest (`--json --outputFile=<file>`), for a second run without neighbors.
 * Exits with 1 if there are none, because the run itself broke, or if so many failed that the load of the machine does
 * not explain it.
 */
const MOST = 3;

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative('', name));
if (failed.length === 0 || failed.length > MOST) process.exit(1);
process.stdout.write(`${failed.join(' ')}\n`);
