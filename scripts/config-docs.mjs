import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

/** Writes docs/configuration.md from the settings table; with `--check` only says whether it is current. */
build();
const { settings } = await import('../dist/src/platform/config/config.schema.js');
const file = fileURLToPath(new URL('../docs/configuration.md', import.meta.url));

function row({ variable, description, secret, default: value, defaultNote }) {
  const shown = defaultNote ?? (value === null ? 'none' : `\`${value}\``);
  const name = secret ? `\`${variable}\`, \`${variable}_FILE\`` : `\`${variable}\``;
  return `| ${name} | ${shown} | ${description} |`;
}

const text = `# Configuration

Environment variables. All problems are reported at once when the server starts, each naming its variable. A secret
can also be read from the file that \`<variable>_FILE\` names. (Generated: \`npm run docs:configuration\`.)

| Variable | Default | Meaning |
|---|---|---|
${Object.values(settings).map(row).join('\n')}
`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('docs/configuration.md is out of date: npm run docs:configuration\n');
  process.exit(1);
}
