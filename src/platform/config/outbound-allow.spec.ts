import fc from 'fast-check';
import { ConfigError, loadConfig } from './config.js';
import { outboundAllow } from './outbound-allow.js';

const rangesOf = (value: string): string[] =>
  outboundAllow(value).ranges.map(([address, bits]) => `${address.toString()}/${bits}`);

describe('SERVICE_OUTBOUND_ALLOW', () => {
  it('defaults to an empty list', () => {
    expect(loadConfig({}).outboundAllow).toEqual({ names: [], suffixes: [], ranges: [] });
  });

  it('takes names and suffixes in any spelling, and compares them in one', () => {
    const { names, suffixes } = outboundAllow(
      ' Hooks.Internal. ,hooks, *.Team.svc.cluster.local,bücher.example,',
    );
    expect(names).toEqual(['hooks.internal', 'hooks', 'xn--bcher-kva.example']);
    expect(suffixes).toEqual(['.team.svc.cluster.local']);
  });

  it('takes addresses and CIDRs of both families', () => {
    const value = '10.20.0.0/16,10.0.0.7,fd12:3456::/32,fd00::1,127.0.0.0/8,::1,169.254.20.10,fc00::/7';
    expect(rangesOf(value)).toEqual([
      '10.20.0.0/16',
      '10.0.0.7/32',
      'fd12:3456::/32',
      'fd00::1/128',
      '127.0.0.0/8',
      '::1/128',
      '169.254.20.10/32',
      'fc00::/7',
    ]);
  });

  it.each([
    ['0.0.0.0/0', 'prefix must be at least /8'],
    ['128.0.0.0/1', 'prefix must be at least /8'],
    ['::/0', 'prefix must be at least /7'],
    ['fc00::/6', 'prefix must be at least /7'],
    ['10.0.0.5/8', 'write 10.0.0.0/8'],
    ['fd00::1/64', 'write fd00::/64'],
    ['10.0.0.0/33', 'not a valid CIDR'],
    ['10.0.0.0/', 'not a valid CIDR'],
    ['10.0.0.0/8/8', 'not a valid CIDR'],
    ['10.0.0.0/-1', 'not a valid CIDR'],
    ['10.0.0.0/255.0.0.0', 'not a valid CIDR'],
    ['::ffff:10.0.0.1', 'write it as IPv4'],
    ['64:ff9b::/96', 'write it as IPv4'],
    ['0.0.0.0', 'can be called'],
    ['::', 'write it as IPv4'],
    ['255.255.255.255', 'can be called'],
    ['224.0.0.0/8', 'can be called'],
    ['ff02::1', 'can be called'],
    ['*', 'ports cannot be given'],
    ['*.', 'ports cannot be given'],
    ['a.*.b', 'ports cannot be given'],
    ['hooks:8080', 'ports cannot be given'],
    ['10.0.0.1:8080', 'ports cannot be given'],
    ['http://hooks', 'ports cannot be given'],
    ['hooks/24', 'ports cannot be given'],
    ['[::1]', 'ports cannot be given'],
    ['user@hooks', 'ports cannot be given'],
    ['hooks..svc', 'ports cannot be given'],
    ['127.1', 'ports cannot be given'],
    ['2130706433', 'ports cannot be given'],
    ['0x7f000001', 'ports cannot be given'],
    ['localhost', 'given as an address'],
    ['*.localhost', 'given as an address'],
    ['LocalHost.', 'given as an address'],
  ])('refuses %j at start and names it', (entry, reason) => {
    const start = (): unknown => loadConfig({ SERVICE_OUTBOUND_ALLOW: `hooks.internal,${entry}` });
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(`SERVICE_OUTBOUND_ALLOW "${entry}" `);
    expect(start).toThrow(reason);
  });

  it('reads an entry or says why not, whatever is written', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4Extended(), fc.ipV6(), fc.domain()), (entry) => {
        try {
          const { names, suffixes, ranges } = outboundAllow(entry);
          for (const name of [...names, ...suffixes]) expect(name).toMatch(/^[a-z0-9_.-]+$/);
          for (const [, bits] of ranges) expect(bits).toBeGreaterThanOrEqual(7);
        } catch (error) {
          expect((error as Error).message).toMatch(/^".*" .+/s);
        }
      }),
    );
  });
});
