/**
 * The circuit of an endpoint. Closed: it gets its deliveries. Open, after `threshold` failed attempts in a row:
 * its deliveries wait, without using up attempts, but for one probe at a time. The first success closes it.
 */
export interface Circuit {
  /** Failed attempts since the last success. */
  failures: number;
  /** Null while closed. */
  openedAt: Date | null;
  /** When an open circuit takes its next probe; while one is under way, when another may be made instead. */
  probeAt: Date | null;
  failedProbes: number;
}

const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** Half a minute before the first probe, twice as long after each that fails, five minutes at most. */
function pauseMs(failedProbes: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failedProbes, 20), LONGEST_PAUSE_MS);
}

/** The circuit after one more failed attempt; `isProbe`: the attempt was made through the open circuit. */
export function afterFailure(circuit: Circuit, isProbe: boolean, threshold: number, nowMs: number): Circuit {
  const failures = circuit.failures + 1;
  if (circuit.openedAt !== null) {
    if (!isProbe) return { ...circuit, failures };
    const failedProbes = circuit.failedProbes + 1;
    return { ...circuit, failures, failedProbes, probeAt: new Date(nowMs + pauseMs(failedProbes)) };
  }
  if (failures < threshold) return { ...circuit, failures };
  return { failures, openedAt: new Date(nowMs), probeAt: new Date(nowMs + pauseMs(0)), failedProbes: 0 };
}
