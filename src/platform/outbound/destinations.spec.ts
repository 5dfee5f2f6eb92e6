import { isIP } from 'node:net';
import fc from 'fast-check';
import { outboundAllow } from '../config/outbound-allow.js';
import { isLocalName, isPublicAddress } from './address-policy.js';
import { Destinations } from './destinations.js';

const allowing = (value: string): Destinations => new Destinations(false, outboundAllow(value));

/** Whether a host that resolves to these addresses can be reached. */
function isReachable(destinations: Destinations, host: string, ...addresses: string[]): boolean {
  return (
    destinations.refusalOf(host) === null && addresses.every((address) => destinations.permits(host, address))
  );
}

const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fe80::1',
  '::ffff:169.254.169.254',
  '64:ff9b::169.254.169.254',
];

describe('a listed host name', () => {
  const destinations = allowing('hooks.team.svc.cluster.local,*.inside.example,shop');

  it.each([
    ['hooks.team.svc.cluster.local', '10.96.4.1'],
    ['HOOKS.team.svc.cluster.local..', '10.96.4.1'],
    ['hooks.team.svc.cluster.local', '192.168.4.1'],
    ['hooks.team.svc.cluster.local', '100.64.3.2'],
    ['hooks.team.svc.cluster.local', 'fd12:3456::7'],
    ['hooks.team.svc.cluster.local', '::ffff:10.0.0.1'],
    ['hooks.team.svc.cluster.local', '1.1.1.1'],
    ['a.inside.example', '10.0.0.1'],
    ['a.b.inside.example', '10.0.0.1'],
    ['shop', '10.0.0.1'],
  ])('%s may be called at %s', (host, address) => {
    expect(isReachable(destinations, host, address)).toBe(true);
  });

  it('opens no name but itself', () => {
    for (const host of [
      'evil.example',
      'inside.example',
      'notinside.example',
      'a.inside.example.evil.example',
      'team.svc.cluster.local',
      'x.hooks.team.svc.cluster.local',
      'shop.evil.example',
      'shops',
    ]) {
      expect(isReachable(destinations, host, '10.96.4.1')).toBe(false);
    }
    expect(isReachable(destinations, '10.96.4.1', '10.96.4.1')).toBe(false);
  });

  it.each([
    ...METADATA,
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '0.0.0.0',
    '::',
    '224.0.0.1',
    '255.255.255.255',
  ])('never leads to %s', (address) => {
    expect(isReachable(destinations, 'hooks.team.svc.cluster.local', address)).toBe(false);
    expect(isReachable(destinations, 'hooks.team.svc.cluster.local', '10.0.0.1', address)).toBe(false);
  });
});

describe('a listed range', () => {
  const destinations = allowing('10.20.0.0/16,fd12:3456::/32,100.64.0.0/10');

  it.each([
    ['10.20.3.4', '10.20.3.4'],
    ['::ffff:10.20.3.4', '::ffff:10.20.3.4'],
    ['64:ff9b::a14:304', '64:ff9b::a14:304'],
    ['fd12:3456::7', 'fd12:3456::7'],
    ['hooks.example', '10.20.3.4'],
    ['hooks.svc.cluster.local', '10.20.3.4'],
  ])('opens %s at %s', (host, address) => {
    expect(isReachable(destinations, host, address)).toBe(true);
  });

  it.each([
    ['10.21.0.1', '10.21.0.1'],
    ['fd12:3457::7', 'fd12:3457::7'],
    ['127.0.0.1', '127.0.0.1'],
    ['hooks.example', '10.21.0.1'],
    ['hooks.svc.cluster.local', '1.1.1.1'],
    ['metadata.google.internal', '169.254.169.254'],
    ['localhost', '127.0.0.1'],
  ])('does not open %s at %s', (host, address) => {
    expect(isReachable(destinations, host, address)).toBe(false);
  });

  it('refuses a name when one of its addresses is outside', () => {
    expect(isReachable(destinations, 'hooks.example', '10.20.3.4', '10.21.0.1')).toBe(false);
  });

  it.each(METADATA)('does not open the metadata address %s that it covers', (address) => {
    const wide = allowing('100.64.0.0/10,169.254.0.0/16,168.0.0.0/8,192.0.0.0/8,fc00::/7,fe80::/10');
    expect(isReachable(wide, address, address)).toBe(false);
    expect(isReachable(wide, 'rebinding.example', address)).toBe(false);
  });

  it('opens such an address when it is listed alone', () => {
    expect(isReachable(allowing('169.254.20.10'), 'hooks.example', '169.254.20.10')).toBe(true);
    expect(isReachable(allowing('127.0.0.1'), 'localhost', '127.0.0.1')).toBe(true);
    expect(isReachable(allowing('::1'), 'localhost', '::1')).toBe(true);
  });
});

it('judges whatever is not listed as without a list', () => {
  const listed = 'hooks.team.svc.cluster.local,*.inside.example,10.20.0.0/16,fd12:3456::/32';
  const destinations = allowing(listed);
  const address = fc.oneof(
    fc.ipV4().filter((text) => !text.startsWith('10.20.')),
    fc.ipV6().filter((text) => !/^0*fd12:3456:|10\.20\.|:0*a14:[0-9a-f]{1,4}$/i.test(text)),
    fc.constantFrom(
      '10.0.0.1',
      '10.21.0.1',
      '127.0.0.1',
      '169.254.169.254',
      '::1',
      '::ffff:127.0.0.1',
      'fd00::1',
    ),
  );
  const name = fc.oneof(
    fc.domain(),
    fc.constantFrom('localhost', 'a.internal', 'team.svc.cluster.local', 'inside.example', 'hooks'),
  );
  fc.assert(
    fc.property(fc.option(name), address, (host, text) => {
      const asked = host ?? text;
      const was = isPublicAddress(text) && (isIP(asked) !== 0 || !isLocalName(asked));
      expect(isReachable(destinations, asked, text)).toBe(was);
      expect(isReachable(new Destinations(false), asked, text)).toBe(was);
    }),
    { numRuns: 2_000 },
  );
});
