import fc from 'fast-check';
import { afterFailure, type Circuit } from './circuit.js';

const closed: Circuit = { failures: 0, openedAt: null, probeAt: null, failedProbes: 0 };
const THRESHOLD = 3;
const fail = (circuit: Circuit, nowMs: number, isProbe = false): Circuit =>
  afterFailure(circuit, isProbe, THRESHOLD, nowMs);

describe('the circuit of an endpoint', () => {
  it('opens with the failure that reaches the threshold, for half a minute', () => {
    const second = fail(fail(closed, 1000), 2000);
    expect(second).toEqual({ ...closed, failures: 2 });
    const third = fail(second, 3000);
    expect(third).toEqual({
      failures: 3,
      openedAt: new Date(3000),
      probeAt: new Date(33_000),
      failedProbes: 0,
    });
  });

  it('stays open twice as long after each failed probe, up to five minutes', () => {
    let circuit: Circuit = { failures: 3, openedAt: new Date(0), probeAt: new Date(0), failedProbes: 0 };
    const pauses = Array.from({ length: 7 }, () => {
      circuit = fail(circuit, 0, true);
      return (circuit.probeAt?.getTime() ?? 0) / 1000;
    });
    expect(pauses).toEqual([60, 120, 240, 300, 300, 300, 300]);
    expect(circuit.openedAt).toEqual(new Date(0));
  });

  it('ignores attempts that were under way when it opened', () => {
    const open = fail(fail(fail(closed, 0), 0), 0);
    expect(fail(open, 20_000)).toEqual({ ...open, failures: 4 });
  });

  it('knows when the next probe is due, once it is open', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(1e9)), { maxLength: 40 }), (failures) => {
        const circuit = failures.reduce((state, [isProbe, atMs]) => fail(state, atMs, isProbe), closed);
        expect(circuit.failures).toBe(failures.length);
        expect(circuit.openedAt === null).toBe(failures.length < THRESHOLD);
        expect(circuit.probeAt === null).toBe(circuit.openedAt === null);
      }),
    );
  });
});
