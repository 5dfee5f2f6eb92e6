import { isIP } from 'node:net';
import { setting } from './setting.js';
import { boolean, oneOf, text } from './setting-values.js';

export const regions = ['us', 'eu'] as const;
export type Region = (typeof regions)[number];

/** API and dashboard URLs of another deployment. */
export interface RegionAddress {
  apiUrl: string;
  appUrl: string;
}
export type RegionAddresses = ReadonlyMap<Region, RegionAddress>;

const FORM =
  'must be <region>=<address>, separated by commas, or JSON such as {"eu": {"api_url": "https://...", "app_url": "https://..."}}';

function region(name: string): Region {
  const found = regions.find((known) => known === name.trim());
  if (found === undefined) throw new Error(`${FORM}; the regions are ${regions.join(', ')}`);
  return found;
}

function address(value: unknown): string {
  const url = typeof value === 'string' && URL.canParse(value.trim()) ? new URL(value.trim()) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Error(FORM);
  return url.origin + url.pathname.replace(/\/$/, '');
}

function fromJson(value: string): RegionAddresses {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    throw new Error(FORM);
  }
  const entries = Object.entries(parsed as Record<string, { api_url?: unknown; app_url?: unknown } | null>);
  return new Map(
    entries.map(([name, urls]) => {
      const apiUrl = address(urls?.api_url);
      return [region(name), { apiUrl, appUrl: urls?.app_url === undefined ? apiUrl : address(urls.app_url) }];
    }),
  );
}

export function regionAddresses(value: string): RegionAddresses {
  if (value.trim().startsWith('{')) return fromJson(value);
  return new Map(
    value.split(',').map((part) => {
      const [name = '', ...rest] = part.split('=');
      const url = address(rest.join('='));
      return [region(name), { apiUrl: url, appUrl: url }];
    }),
  );
}

function publicKeys(value: string): Buffer[] {
  return value.split(',').map((part) => {
    const key = Buffer.from(part.trim(), 'base64');
    if (key.length !== 32) throw new Error('must be 32 bytes in base64, several separated by commas');
    return key;
  });
}

function nameServers(value: string): string[] {
  const servers = value.split(',').map((part) => part.trim());
  for (const server of servers) {
    const [, address = server] =
      /^\[(.*)\](?::\d{1,5})?$/.exec(server) ?? /^([\d.]+)(?::\d{1,5})?$/.exec(server) ?? [];
    if (isIP(address) === 0) throw new Error('must be addresses such as 192.0.2.53 or [2001:db8::53]:5353');
  }
  return servers;
}

function txtPrefix(value: string): string {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,40}[a-z0-9])?$/.test(value))
    throw new Error('must be a to z, 0 to 9 and hyphens, at most 42 characters');
  return value;
}

/** Settings of the enterprise edition and of data location. */
export const enterpriseSettings = {
  licenseKey: setting<string | null>({
    variable: 'SERVICE_LICENSE_KEY',
    description:
      'Licence key of the enterprise edition (docs/enterprise.md): loads its routes and enables the licensed features. Verified offline.',
    secret: true,
    default: null,
    parse: text(20_000),
  }),
  enterpriseDevelopment: setting({
    variable: 'SERVICE_EE_DEV',
    description:
      'Load the enterprise edition with every feature, for development and evaluation (docs/enterprise.md). A ' +
      'licence key takes precedence.',
    default: false,
    parse: boolean,
  }),
  licensePublicKeys: setting<Buffer[] | null>({
    variable: 'SERVICE_LICENSE_PUBLIC_KEY',
    description:
      'Ed25519 public keys that verify licences: 32 bytes in base64, separated by commas. For your own distributions and for tests.',
    default: null,
    defaultNote: 'the built-in keys',
    parse: publicKeys,
  }),
  region: setting<Region>({
    variable: 'SERVICE_REGION',
    description: 'Region of this deployment, in which new projects are stored: `us` or `eu`.',
    default: 'us',
    parse: oneOf(...regions),
  }),
  regionUrls: setting<RegionAddresses | null>({
    variable: 'SERVICE_REGION_URLS',
    description:
      'Addresses of the deployments of other regions: `eu=https://eu.example.com`, separated by commas, or JSON ' +
      '`{"eu": {"api_url": "...", "app_url": "..."}}`. Requests for a project of another region are then ' +
      'refused here (docs/enterprise.md).',
    default: null,
    defaultNote: 'regions are only recorded',
    parse: regionAddresses,
  }),
  dnsServers: setting<string[]>({
    variable: 'SERVICE_DNS_SERVERS',
    description:
      'Name servers to query for the TXT records of single sign-on domains: addresses, each with or ' +
      'without a port, separated by commas.',
    default: [],
    defaultNote: "the system's",
    parse: nameServers,
  }),
  ssoTxtPrefix: setting({
    variable: 'SERVICE_SSO_TXT_PREFIX',
    description:
      'Names the TXT record that proves a domain: `_<prefix>.<domain>` with the value ' +
      '`<prefix>-verification=...`. Do not change it while domains are waiting for verification.',
    default: 'service-sso',
    parse: txtPrefix,
  }),
  samlAllowSha1: setting({
    variable: 'SERVICE_SAML_ALLOW_SHA1',
    description:
      'Accept SAML responses that are signed with SHA-1, which is broken. Only for old identity providers that cannot be replaced yet.',
    default: false,
    parse: boolean,
  }),
};
