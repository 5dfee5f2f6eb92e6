import { Command } from 'commander';
import { CommandFailed } from './command-failed.js';
import type { DistributeOptions } from './distribute.command.js';
import type { OwnerOptions } from './create-owner.command.js';
import { addExportsCommands } from './exports.commands.js';
import type { IssueOptions } from './licence.command.js';
import type { ResetPasswordOptions } from './reset-password.command.js';
import type { CreateSqlUserOptions } from './sql-user.command.js';
import type { UserListOptions } from './user-list.command.js';
import { isReaderGone, outputFailure } from './output.js';

/**
 * The command line for operators. Commands are loaded when they run, because most do not need the whole application.
 */
export const program = new Command('tenure').description(
  'Uses the environment variables of the server (docs/configuration.md).',
);

program
  .command('serve')
  .description('run the server')
  .action(async () => void (await import('../main.js')));
program
  .command('migrate')
  .description('bring the schema up to date')
  .option('--status', 'only list what is pending')
  .action(async (options: { status?: boolean }) => (await import('./migrate.command.js')).migrate(options));
program
  .command('distribute')
  .description('distribute the tables over the workers of a Citus cluster')
  .option('--dry-run', 'only list what it would do')
  .option('--json', 'one list of all tables')
  .action(async (options: DistributeOptions) =>
    (await import('./distribute.command.js')).distribute(options),
  );
program
  .command('create-owner')
  .description('create an account with a project, even if sign-up is closed')
  .requiredOption('--email <address>')
  .option('--name <name>', 'of the person')
  .option('--project <name>', 'of the first project', 'My project')
  .option(
    '--password-stdin',
    'read the password from standard input; by default one is generated and printed',
  )
  .action(async (options: OwnerOptions) => (await import('./create-owner.command.js')).createOwner(options));
const user = program.command('user').description('accounts of people');
user
  .command('list')
  .description('list accounts with their projects and roles')
  .option('--json', 'one JSON object a line')
  .action(async (options: UserListOptions) => (await import('./user-list.command.js')).listUsers(options));
user
  .command('disable-2fa')
  .description('turn two-factor off for a person who lost their app and recovery codes')
  .argument('<email>', 'address of the account')
  .action(async (email: string) => (await import('./disable-2fa.command.js')).disableTwoFactor(email));
user
  .command('make-owner')
  .description('make a person admin of a project')
  .argument('<email>', 'address of the account')
  .argument('<project>', 'id of the project')
  .action(async (email: string, project: string) =>
    (await import('./make-owner.command.js')).makeOwner(email, project),
  );
user
  .command('reset-password')
  .description('set a new password and end all sessions of an account')
  .argument('<email>', 'address of the account')
  .option(
    '--password-stdin',
    'read the password from standard input; by default one is generated and printed',
  )
  .action(async (email: string, options: ResetPasswordOptions) =>
    (await import('./reset-password.command.js')).resetPassword(email, options),
  );
program
  .command('doctor')
  .description('check database, clocks, keys and limits')
  .action(async () => (await import('./doctor/doctor.command.js')).doctor());
program
  .command('keys')
  .description('encryption keys')
  .command('rotate')
  .description('seal again, with the current key, what the other key sealed')
  .action(async () => (await import('./keys-rotate.command.js')).rotateKeys());
program
  .command('public-key')
  .description('public keys of apps')
  .command('reassign')
  .description('let a project import a public key that another project has used')
  .argument('<key>', 'the public key that the shipped builds send')
  .argument('<project>', 'id of the project that may import it')
  .action(async (key: string, project: string) =>
    (await import('./reassign-public-key.command.js')).reassignPublicKey(key, project),
  );
const licence = program.command('licence').description('licences of the enterprise edition');
licence
  .command('keygen')
  .description('create a key pair for signing licences')
  .action(async () => (await import('./licence.command.js')).licenceKeygen());
licence
  .command('issue')
  .description('sign a licence')
  .requiredOption('--key-file <file>', 'with the private key; - reads standard input')
  .requiredOption('--licensee <name>')
  .option('--features <names>', 'separated by commas', '*')
  .option('--expires <date>', 'by default never')
  .option('--max-organizations <number>', 'by default any number')
  .option('--editions <names>', 'self-hosted, cloud', '*')
  .option('--id <id>', 'by default a random one')
  .action(async (options: IssueOptions) => (await import('./licence.command.js')).licenceIssue(options));
licence
  .command('inspect')
  .description('say what a licence allows on this server')
  .argument('[key]', 'by default SERVICE_LICENSE_KEY')
  .action(async (key: string | undefined) => (await import('./licence.command.js')).licenceInspect(key));
program
  .command('export')
  .description('write everything of a project as JSON lines')
  .requiredOption('--project <id>')
  .action(async (options: { project: string }) =>
    (await import('./export.command.js')).exportProject(options),
  );
const sqlUser = program.command('sql-user').description('read-only database users of projects');
sqlUser
  .command('create')
  .description('create a SQL user and print its connection string once')
  .requiredOption('--project <id>')
  .requiredOption('--name <name>')
  .option('--expires <days>', 'such as 90d; by default never')
  .option('--print-sql', 'print statements for an administrator of PostgreSQL instead of running them')
  .option('--json', 'one JSON object')
  .action(async (options: CreateSqlUserOptions) =>
    (await import('./sql-user.command.js')).createSqlUser(options),
  );
sqlUser
  .command('list')
  .description('list the SQL users of all projects')
  .option('--json', 'one JSON object a line')
  .action(async (options: { json?: boolean }) =>
    (await import('./sql-user.command.js')).listSqlUsers(options),
  );
sqlUser
  .command('rotate')
  .description('set a new password and end all sessions of a SQL user')
  .argument('<id>')
  .option('--json', 'one JSON object')
  .action(async (id: string, options: { json?: boolean }) =>
    (await import('./sql-user.command.js')).rotateSqlUser(id, options),
  );
sqlUser
  .command('delete')
  .description('end all sessions of a SQL user and drop its role')
  .argument('<id>')
  .action(async (id: string) => (await import('./sql-user.command.js')).deleteSqlUser(id));
addExportsCommands(program);
program
  .command('log-id')
  .description('print the hash that the log shows instead of an app user id')
  .argument('<app_user_id>')
  .action(async (appUserId: string) => (await import('./log-id.command.js')).logId(appUserId));
program
  .command('verify')
  .description('count and checksum all rows, to compare a restored database')
  .option('--against <file>', 'an earlier output')
  .option('--dump <file>', 'also write the counted rows with pg_dump')
  .action(async (options: { against?: string; dump?: string }) =>
    (await import('./verify.command.js')).verify(options),
  );

// The loaded command defines the options; nothing else may parse them.
program
  .enablePositionalOptions()
  .command('import')
  .description('move customers from another system to a server: import, import verify, import plan')
  .helpOption(false)
  .allowUnknownOption()
  .passThroughOptions()
  .argument('[arguments...]')
  .action(async (args: string[]) => (await import('./import.command.js')).runImportCommand(args));

async function isExpected(error: unknown): Promise<boolean> {
  if (error instanceof CommandFailed) return true;
  const { ConfigError } = await import('../platform/config/config.js');
  return error instanceof ConfigError;
}

/** Runs a command in this process. Returns 1 if it failed, after writing the reason to standard error. */
export async function runCommandLine(args: string[]): Promise<0 | 1> {
  try {
    await program.parseAsync(args, { from: 'user' });
    const failure = outputFailure();
    if (failure) throw failure;
    return 0;
  } catch (error) {
    if (isReaderGone(error)) return 0;
    const { message, stack } = error as Error;
    process.stderr.write(`${(await isExpected(error)) ? message : String(stack)}\n`);
    return 1;
  }
}
