import type { Config } from '../../platform/config/config.js';
import { builtInKeys } from './built-in-keys.js';
import { InvalidLicence, type Licence, readLicence } from './licence-key.js';
import { invalidStatus, type LicenceStatus, statusAt } from './licence.policy.js';

export { features } from './features.js';
export { editions, issueLicence, keyIdOf, rawPublicKey } from './licence-key.js';

/** The public keys that may sign a server's licence. */
export function trustedKeys({ licensePublicKeys }: Pick<Config, 'licensePublicKeys'>): Buffer[] {
  return licensePublicKeys ?? builtInKeys.map((text) => Buffer.from(text, 'base64'));
}

/** Returns the content of a licence, and what it permits on a server with this configuration. */
export function inspectLicence(
  key: string,
  config: Pick<Config, 'licensePublicKeys' | 'edition'>,
  nowMs: number,
): { licence: Licence | null; status: LicenceStatus } {
  try {
    const licence = readLicence(key, trustedKeys(config));
    return { licence, status: statusAt(licence, config.edition, nowMs) };
  } catch (error) {
    if (error instanceof InvalidLicence) return { licence: null, status: invalidStatus(error.message) };
    throw error;
  }
}
