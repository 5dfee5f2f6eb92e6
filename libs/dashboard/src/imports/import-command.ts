export type ImportTask = 'try' | 'import' | 'tokens' | 'verify' | 'plan';

interface ImportTarget {
  /** This server's URL. */
  address: string;
  projectId: string;
  /** The command that starts the CLI. */
  program: string;
}

const subcommands: Record<ImportTask, string> = {
  try: 'import',
  import: 'import',
  tokens: 'import',
  verify: 'import verify',
  plan: 'import plan',
};

const flags: Partial<Record<ImportTask, string>> = {
  try: '--dry-run',
  tokens: '--google-tokens tokens.csv',
};

/** Commands that start the CLI in a checkout and in the container image. */
export const programs = [
  { id: 'checkout', label: 'In a checkout', program: 'npm run --silent tenure --' },
  { id: 'image', label: 'In the container image', program: 'node dist/src/cli/tenure.js' },
] as const;

/**
 * Returns a command with this server and project filled in. It prompts for both keys, so that they are not stored in
 * the shell's history.
 */
export function importCommand(task: ImportTask, { address, projectId, program }: ImportTarget): string {
  return [
    `${program} ${subcommands[task]}`,
    `--to ${address}`,
    `--to-project ${projectId}`,
    ...(flags[task] === undefined ? [] : [flags[task]]),
  ].join(' \\\n  ');
}
