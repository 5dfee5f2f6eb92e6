import { domainToASCII } from 'node:url';
import { parse } from 'tldts';
import { publicMailDomains } from './public-mail-domains.js';

const MAX_LENGTH = 253;
const LABELS =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/**
 * Normalizes a domain for storage and comparison: lower case, A-labels. `problem` is a message to append to the field's
 * name.
 */
export function normalizeDomain(text: string): { domain: string } | { problem: string } {
  const written = text.trim().replace(/^@/, '').replace(/\.$/, '').toLowerCase();
  // The conversion would extract the host from a URL.
  const domain = /[\s/\\:?#@%[\]]/.test(written) ? '' : domainToASCII(written);
  if (!LABELS.test(domain) || domain.length > MAX_LENGTH)
    return { problem: 'must be a domain such as example.com' };
  const { isIp, domain: registrable } = parse(domain, { allowPrivateDomains: true });
  if (isIp) return { problem: 'must be a domain, not an address' };
  if (registrable === null) return { problem: 'must be a domain that someone can own, not a public suffix' };
  if (publicMailDomains.has(domain) || publicMailDomains.has(registrable)) {
    return { problem: 'must not be a domain of a public mail provider' };
  }
  return { domain };
}

/** Why a TXT record does not verify a domain. */
export type DomainProblem = 'no_record' | 'wrong_value' | 'dns_error';

/** Returns null if one of the records is the wanted one. */
export function txtProblem(found: readonly string[], wanted: string): DomainProblem | null {
  if (found.includes(wanted)) return null;
  return found.length === 0 ? 'no_record' : 'wrong_value';
}
