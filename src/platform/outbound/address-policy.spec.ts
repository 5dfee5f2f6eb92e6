import fc from 'fast-check';
import { isLocalName, isPublicAddress } from './address-policy.js';

describe('address policy', () => {
  it.each([
    ['this network', ['0.0.0.0', '0.1.2.3']],
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
    ['private', ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.0', '192.168.1.1']],
    ['link-local', ['169.254.0.1', '169.254.169.254', '169.254.170.2', 'fe80::1', 'fe80::1%eth0', 'febf::1']],
    ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255', '100.100.100.200']],
    [
      'a platform that machines run on',
      ['168.63.129.16', '::ffff:168.63.129.16', 'fd00:ec2::254', '192.0.0.192'],
    ],
    ['documentation and tests', ['192.0.2.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1']],
    ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1']],
    ['reserved', ['192.0.0.1', '192.88.99.1', '240.0.0.1', '255.255.255.254', '255.255.255.255']],
    ['unspecified', ['::', '0:0:0:0:0:0:0:0']],
    ['IPv4-mapped', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254']],
    ['IPv4-translated and IPv4-compatible', ['::ffff:0:127.0.0.1', '::127.0.0.1', '::1.1.1.1']],
    ['NAT64 of what is not public', ['64:ff9b::10.0.0.1', '64:ff9b::7f00:1', '64:ff9b::169.254.169.254']],
    ['local NAT64', ['64:ff9b:1::1', '64:ff9b:1::1.1.1.1', '64:ff9b:1:ffff::10.0.0.1']],
    ['6to4', ['2002:7f00:1::', '2002:a00:1::1', '2002:c0a8:101::1', '2002:101:101::1']],
    ['Teredo', ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2']],
    ['IPv6 documentation and tests', ['2001:db8::1', '3fff::1', '2001:2::1', '2001:10::1', '2001:20::1']],
    ['unique local and site-local', ['fc00::1', 'fd12:3456::1', 'fdff::1', 'fec0::1']],
    ['discard and segment routing', ['100::1', '5f00::1']],
    ['IPv6 space that is not handed out', ['4000::1', '8000::1', 'e000::1', '1::1']],
    ['no address', ['', 'not an address', 'example.com', '1.1.1.1.1', '[::1]', '::ffff:1.1.1.256']],
  ])('refuses what is %s', (_, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  it.each([
    '1.1.1.1',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.1',
    '168.63.129.17',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.1.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:82f::200e',
    '::ffff:1.1.1.1',
    '64:ff9b::1.1.1.1',
  ])('lets %s through', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it('judges an IPv4 address alike in each spelling that reaches it', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const verdict = isPublicAddress(address);
        expect(isPublicAddress(`::ffff:${address}`)).toBe(verdict);
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(verdict);
      }),
    );
  });

  it('knows the names that only mean something inside a network', () => {
    const local = ['localhost', 'LOCALHOST', 'a.localhost', 'localhost.', 'localhost..', 'printer.local'];
    const inside = ['db.internal', 'metadata.google.internal.', 'x.home.arpa', 'a.localdomain', 'local'];
    expect([...local, ...inside].filter((name) => !isLocalName(name))).toEqual([]);
    const others = ['example.com', 'localhost.example.com', 'notlocal', 'mylocalhost', 'internal.example'];
    expect(others.filter(isLocalName)).toEqual([]);
  });
});
