import { readFileSync, writeFileSync } from 'node:fs';
import { build } from './build.mjs';

/**
 * Writes docs/sdk-compatibility.md from the table of SDK calls (docs/sdk-calls.json, which the tests hold the
 * server to) and the table of error codes; with `--check` only says whether it is current.
 */
build();
const { v1Codes } = await import('../dist/src/platform/http/v1-codes.js');
const path = (name) => new URL(`../docs/${name}`, import.meta.url).pathname;
const calls = JSON.parse(readFileSync(path('sdk-calls.json'), 'utf8'));
const file = path('sdk-compatibility.md');

const served = {
  full: 'yes',
  minimal: 'minimal',
  error: 'error',
  none: 'no',
  pending: 'not yet',
};

function callRow({ method, path: route, clients, served: how, answer, nonce, etag }) {
  if (!served[how]) throw new Error(`docs/sdk-calls.json: ${route} is served how?`);
  const protocol = [nonce ? 'nonce' : '', etag ? 'tag' : ''].filter(Boolean).join(', ');
  return `| \`${method} ${route}\` | ${clients.join(', ')} | ${served[how]} | ${answer} | ${protocol} |`;
}

function group(name) {
  const rows = calls.filter((call) => call.group === name).map(callRow);
  return `## ${name}

| Call | Made by | Served | Answer | Protocol |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

function fate(statuses) {
  const finishes = statuses.some((status) => status < 500 && status !== 429);
  const keeps = statuses.some((status) => status >= 500);
  if (finishes && keeps) return 'by status';
  return finishes ? 'finished' : 'kept';
}

function codeRow([code, { meaning, statuses }]) {
  return statuses.length === 0
    ? `| ${code} | ${meaning} | not sent | |`
    : `| ${code} | ${meaning} | ${statuses.join(', ')} | ${code === '7662' ? 'finished (iOS), kept (Android)' : fate(statuses)} |`;
}

const text = `# SDK compatibility

Every call that the stock purchase SDKs make, and how this server answers it. Checked with the request shapes of
iOS 5.86, Android 10.17 and web 1.63. (Generated: \`npm run docs:sdk\`; the tests send each of these calls.)

- **Served**: \`yes\`: all of it; \`minimal\`: a fixed answer that the SDK can go on with; \`error\`: an error that the SDK
  shows as what it is.
- **Protocol**: \`tag\`: the answer carries \`X-RevenueCat-ETag\` and a request that holds it gets a 304; \`nonce\`: the SDKs
  send a nonce and verify the answer's signature. With \`SERVICE_SIGNING_KEY\` every answer below \`/v1\` is signed.
- Any other path below \`/v1\` and \`/rcbilling\` answers 404 with code 7259. Every answer has CORS headers and
  \`X-RevenueCat-Request-Time\`.

${[...new Set(calls.map((call) => call.group))].map(group).join('\n')}
## Signatures

Stock SDKs are built with their vendor's root key, for which nobody else can sign. By default they use unverified
answers all the same and report the verification as failed; turn entitlement verification off in the app, or build the
SDK with the key of \`GET /.well-known/service-signing-key\`. The header has the layout that the SDKs expect: 180 bytes
with an intermediate key, which changes every 30 days by itself and is the same on every replica.

## Error codes

Errors are \`{"code": <integer>, "message": "<text>"}\`. The last column says what the mobile SDKs do with a purchase
whose receipt is answered so: after a 4xx it is finished, after a 5xx it is kept and posted again. No receipt is answered
with 413 or 429: one over 10 MiB, which phones do not make, gets a 503 with code 7110. A body that no SDK sends (more than
64 levels, 20,000 values or 3,000 names of fields) gets a 400.

| Code | Meaning | Status | Purchase |
|---|---|---|---|
${Object.entries(v1Codes).map(codeRow).join('\n')}
`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('docs/sdk-compatibility.md is out of date: npm run docs:sdk\n');
  process.exit(1);
}
