import { isIP } from 'node:net';
import type { AddressRange, OutboundAllow } from '../config/outbound-allow.js';
import { addressOf, isLocalName, isPlatformAddress, isPublicAddress } from './address-policy.js';
import type { OutboundUrlRefused } from './outbound-errors.js';
import { privateAddressRefusal } from './outbound-url.js';

/** Address kinds (ipaddr.js) of services inside a network. A listed host name may resolve to them. */
const SERVICE_ADDRESSES = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);

type Address = NonNullable<ReturnType<typeof addressOf>>;

/** Metadata services issue credentials, so a range that happens to contain one does not allow it. */
function mustBeListedAlone(address: Address): boolean {
  return isPlatformAddress(address) || address.range() === 'linkLocal';
}

function includes([first, bits]: AddressRange, address: Address): boolean {
  if (first.kind() !== address.kind()) return false;
  if (mustBeListedAlone(address) && bits < address.toByteArray().length * 8) return false;
  return address.match(first, bits);
}

/** Decides where user-supplied URLs may lead: to public addresses and to those listed by the operator. */
export class Destinations {
  constructor(
    private readonly allowsPrivateNetworks: boolean,
    private readonly allow: OutboundAllow = { names: [], suffixes: [], ranges: [] },
  ) {}

  /** Whether a host may be called at an address it resolved to; a literal address is its own host. */
  permits(host: string, text: string): boolean {
    if (this.allowsPrivateNetworks) return true;
    const isListed = this.lists(host);
    if (isPublicAddress(text) && (isListed || !isLocalName(host))) return true;
    const address = addressOf(text);
    if (address === null) return false;
    if (this.allow.ranges.some((range) => includes(range, address))) return true;
    return isListed && SERVICE_ADDRESSES.has(address.range()) && !mustBeListedAlone(address);
  }

  /** Returns the refusal of a host that can be checked without DNS: a literal address or an unlisted local name. */
  refusalOf(host: string): OutboundUrlRefused | null {
    if (isIP(host) !== 0) return this.permits(host, host) ? null : privateAddressRefusal(host);
    // A local name may still resolve to a listed address.
    const isOpen = this.allowsPrivateNetworks || this.allow.ranges.length > 0 || this.lists(host);
    return isOpen || !isLocalName(host) ? null : privateAddressRefusal(host);
  }

  /** Whether even the existence of the name must not be revealed: it is local and unlisted. */
  hides(host: string): boolean {
    return !this.allowsPrivateNetworks && isLocalName(host) && !this.lists(host);
  }

  private lists(host: string): boolean {
    const name = host.toLowerCase().replace(/\.+$/, '');
    return this.allow.names.includes(name) || this.allow.suffixes.some((suffix) => name.endsWith(suffix));
  }
}
