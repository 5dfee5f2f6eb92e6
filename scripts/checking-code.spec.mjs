import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { checkingCode, languages } from '../libs/dashboard/src/webhooks/signing/signature-check.js';
import { signWebhook } from '../libs/signing/index.js';

const SECRET = 'whsec_c2VjcmV0';
const body = Buffer.from([...Buffer.from('{"name":"Zoë"}\n'), 0xff, 0x00]);
const nowS = Math.floor(Date.now() / 1000);
const signed = (atS, secrets = [SECRET], of = body) => signWebhook(secrets, atS, of);

/** What arrives, and whether it is genuine. */
const cases = [
  ['the signature of the server', signed(nowS), true],
  ['one of two signatures, while the secret is changed', signed(nowS, ['whsec_other', SECRET]), true],
  ['a signature with another secret', signed(nowS, ['whsec_other']), false],
  ['a signature of another body', signed(nowS, [SECRET], Buffer.from('{}')), false],
  ['one that is too old', signed(nowS - 600), false],
  ['one of the future', signed(nowS + 600), false],
  ['an old one with a new time', `t=${nowS},${signed(nowS - 600)}`, false],
  ['a new time in an old one', signed(nowS - 600).replace(/^t=\d+/, `t=${nowS}`), false],
  ['no header', '', false],
  ['a time that is none', signed(nowS).replace(/^t=\d+/, 't=x'), false],
  ['a time alone', `t=${nowS}`, false],
  ['letters that are no hex', `t=${nowS},v1=é`, false],
];
const input = JSON.stringify({
  body: body.toString('base64'),
  secret: SECRET,
  headers: cases.map(([, header]) => header),
});

/** How a program with the code answers for each case, by language. */
const programs = {
  node: {
    command: [process.execPath, '--input-type=module', '-e'],
    code: `${checkingCode.node}
import { readFileSync } from 'node:fs';
const { body, secret, headers } = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(headers.map((header) => verify(Buffer.from(body, 'base64'), header, secret))));`,
  },
  python: {
    command: ['python3', '-c'],
    code: `${checkingCode.python}

import base64, json, sys
given = json.load(sys.stdin)
print(json.dumps([verify(base64.b64decode(given["body"]), header, given["secret"]) for header in given["headers"]]))`,
  },
  php: {
    command: ['php', '-r'],
    code: `${checkingCode.php.replace('<?php', '')}
$given = json_decode(file_get_contents('php://stdin'), true);
echo json_encode(array_map(fn($header) => verify(base64_decode($given['body']), $header, $given['secret']), $given['headers']));`,
  },
  ruby: {
    command: ['ruby', '-e'],
    code: `${checkingCode.ruby}
require 'json'
given = JSON.parse($stdin.read)
puts JSON.generate(given['headers'].map { |header| verify(given['body'].unpack1('m'), header, given['secret']) })`,
  },
};
const isInstalled = (name) => spawnSync(name, ['--version']).status === 0;

describe('the code that checks the signature of a webhook', () => {
  for (const [language, { command, code }] of Object.entries(programs)) {
    const run = isInstalled(command[0]) ? it : it.skip;
    run(`accepts what the server signed and nothing else, in ${language}`, () => {
      const { stdout, stderr } = spawnSync(command[0], [...command.slice(1), code], {
        input,
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      const answers = JSON.parse(stdout);
      expect(cases.map(([what], index) => [what, answers[index]])).toEqual(
        cases.map(([what, , isGenuine]) => [what, isGenuine]),
      );
    });
  }

  it('matches the guide in every language', () => {
    const guide = readFileSync(new URL('../docs/webhooks.md', import.meta.url), 'utf8');
    for (const { id } of languages) expect(guide).toContain(`\n${checkingCode[id]}\n\`\`\`\n`);
  });
});
