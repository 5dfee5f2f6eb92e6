import { clientNetwork } from './client-network.js';

describe('the network that limits count by', () => {
  it('uses the whole IPv4 address, even mapped into IPv6', () => {
    expect(clientNetwork('192.0.2.7')).toBe('192.0.2.7');
    expect(clientNetwork('::ffff:192.0.2.7')).toBe('192.0.2.7');
  });

  it('uses the /64 of an IPv6 address, however it is written', () => {
    const network = clientNetwork('2001:db8:0:1::1');
    expect(clientNetwork('2001:0DB8:0000:0001:ffff:ffff:ffff:ffff')).toBe(network);
    expect(clientNetwork('2001:db8:0:2::1')).not.toBe(network);
  });

  it('uses one for everything that is no address', () => {
    expect(clientNetwork(null)).toBe(clientNetwork('not an address'));
  });
});
