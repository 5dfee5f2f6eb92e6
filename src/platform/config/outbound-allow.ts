import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';

/** First address, and length of the prefix in bits. */
export type AddressRange = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Destinations inside the operator's network that user-supplied URLs may reach. */
export interface OutboundAllow {
  /** Exact host names, lower case, without a trailing dot. */
  readonly names: readonly string[];
  /** The part after the `*` of `*.example.internal`: `.example.internal`. */
  readonly suffixes: readonly string[];
  readonly ranges: readonly AddressRange[];
}

/** Shortest prefix by family: the largest blocks that RFC 1918 and RFC 4193 reserve for private networks. */
const SHORTEST_PREFIX = { ipv4: 8, ipv6: 7 };
/** Address kinds (ipaddr.js) that are unreachable, or that reach this machine by accident. */
const UNUSABLE = new Set(['unspecified', 'multicast', 'broadcast']);
/** Contains loopback and the notations that embed an IPv4 address (RFC 4291). */
const RESERVED_IPV6 = ipaddr.IPv6.parseCIDR('::/8');
const NAME = /^(?!.{254})[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

function rangeOf(entry: string): AddressRange {
  const [text = '', prefix, ...rest] = entry.split('/');
  const address = ipaddr.parse(text);
  const isIpv6 = address instanceof ipaddr.IPv6;
  const width = isIpv6 ? 128 : 32;
  const bits = prefix === undefined ? width : Number(prefix);
  const isSound = /^\d{1,3}$/.test(prefix ?? '0') && bits <= width && rest.length === 0;
  if (!isSound) throw new Error(`"${entry}" is not a valid CIDR`);
  const shortest = SHORTEST_PREFIX[address.kind()];
  if (bits < shortest) {
    throw new Error(`"${entry}" covers far more than one network: the prefix must be at least /${shortest}`);
  }
  const cidr = `${text}/${bits}`;
  const first = isIpv6 ? ipaddr.IPv6.networkAddressFromCIDR(cidr) : ipaddr.IPv4.networkAddressFromCIDR(cidr);
  if (first.toNormalizedString() !== address.toNormalizedString()) {
    throw new Error(`"${entry}" has bits set after its prefix: write ${first.toString()}/${bits}`);
  }
  if (isIpv6 && address.match(RESERVED_IPV6) && address.range() !== 'loopback') {
    throw new Error(`"${entry}" embeds an IPv4 address: write it as IPv4`);
  }
  if (UNUSABLE.has(address.range())) throw new Error(`"${entry}" is not an address that can be called`);
  return [address, bits];
}

/** Characters that a URL parser would not treat as part of the host. */
const NOT_OF_A_NAME = /[\s/\\?#@:%[\]]/;

function nameOf(entry: string, text: string): string {
  const name = NOT_OF_A_NAME.test(text) ? '' : domainToASCII(text.replace(/\.$/, ''));
  // URL parsers read "127.1" and "0x7f000001" as addresses.
  if (!NAME.test(name) || isIP(new URL(`http://${name}`).hostname) !== 0) {
    throw new Error(`"${entry}" is not a host name, *.suffix, IP address or CIDR (ports cannot be given)`);
  }
  if (name === 'localhost' || name.endsWith('.localhost')) {
    throw new Error(`"${entry}" must be given as an address: 127.0.0.1 or ::1`);
  }
  return name;
}

/** Parses comma-separated host names, `*.suffix`, IP addresses and CIDRs. @throws Error naming the invalid entry */
export function outboundAllow(value: string): OutboundAllow {
  const allow = { names: [] as string[], suffixes: [] as string[], ranges: [] as AddressRange[] };
  for (const entry of value.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    if (isIP(entry.split('/')[0] ?? '') !== 0) allow.ranges.push(rangeOf(entry));
    else if (entry.startsWith('*.')) allow.suffixes.push(`.${nameOf(entry, entry.slice(2))}`);
    else allow.names.push(nameOf(entry, entry));
  }
  return allow;
}
