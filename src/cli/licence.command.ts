import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { systemClock } from '../../libs/kernel/index.js';
import { CommandFailed } from './command-failed.js';
import { print } from './context.js';

/* Commands of the enterprise edition, whose code is loaded through its single entry point. */

export interface IssueOptions {
  keyFile: string;
  licensee: string;
  features: string;
  id?: string;
  expires?: string;
  maxOrganizations?: string;
  editions: string;
}

const tools = async () => (await import('../load-enterprise.js')).loadLicenceTools();

/** The private key stays with the issuer; servers have the public key. */
export async function licenceKeygen(): Promise<void> {
  const { rawPublicKey, keyIdOf } = await tools();
  const seed = randomBytes(32);
  const publicKey = rawPublicKey(seed);
  print(`private key (keep it offline): ${seed.toString('base64')}`);
  print(`public key (SERVICE_LICENSE_PUBLIC_KEY): ${publicKey.toString('base64')}`);
  print(`key id: ${keyIdOf(publicKey)}`);
}

function seedIn(file: string): Buffer {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandFailed(`The private key cannot be read: ${(error as Error).message}`);
  }
  const seed = Buffer.from(text.trim(), 'base64');
  if (seed.length !== 32) throw new CommandFailed('The private key must be 32 bytes in base64.');
  return seed;
}

function timeOf(day: string): number {
  const time = Date.parse(day);
  if (Number.isNaN(time)) throw new CommandFailed(`${day} is no date such as 2027-12-31.`);
  return time;
}

function countOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new CommandFailed(`${text} is no number of organizations.`);
  return Number(text);
}

function chosen<Name extends string>(text: string, known: readonly Name[], what: string): Name[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => name !== '*' && !known.some((one) => one === name));
  if (unknown !== undefined)
    throw new CommandFailed(`${unknown} is no ${what}; there are ${known.join(', ')}, or * for all.`);
  return known.filter((name) => names.includes('*') || names.includes(name));
}

export async function licenceIssue(options: IssueOptions): Promise<void> {
  const { issueLicence, features, editions } = await tools();
  if (options.licensee.length < 1 || options.licensee.length > 200)
    throw new CommandFailed('The licensee must have 1 to 200 characters.');
  const nowMs = systemClock.nowMs();
  const { id = `lic_${randomBytes(8).toString('hex')}`, expires, maxOrganizations } = options;
  if (id.length < 1 || id.length > 64) throw new CommandFailed('The id must have 1 to 64 characters.');
  const licence = {
    id,
    licensee: options.licensee,
    features: chosen(options.features, features, 'feature'),
    issuedAtMs: nowMs,
    expiresAtMs: expires === undefined ? null : timeOf(expires),
    maxOrganizations: maxOrganizations === undefined ? null : countOf(maxOrganizations),
    editions: chosen(options.editions, editions, 'edition'),
  };
  print(issueLicence(licence, seedIn(options.keyFile)));
}

/** Prints what a licence allows on a server with this configuration. */
export async function licenceInspect(given: string | undefined): Promise<void> {
  const { commandConfig } = await import('./context.js');
  const { inspectLicence } = await tools();
  const config = commandConfig();
  const key = given ?? config.licenseKey;
  if (key === null) throw new CommandFailed('Give a licence key, or set SERVICE_LICENSE_KEY.');
  const { licence, status } = inspectLicence(key, config, systemClock.nowMs());
  print(JSON.stringify({ licence, status }, null, 2));
  if (status.mode === 'invalid') throw new CommandFailed(`The licence is not valid: ${status.message ?? ''}`);
}
