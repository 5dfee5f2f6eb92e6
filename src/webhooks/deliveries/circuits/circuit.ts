/**
 * The circuit breaker of an endpoint. Closed: it receives its deliveries. Open, after `threshold` consecutive failed
 * attempts: deliveries wait without using up attempts, except for one probe at a time. The first success closes it.
 */
export interface Circuit {
  /** Failed attempts since the last success. */
  failures: number;
  /** Null while closed. */
  openedAt: Date | null;
  /** Time of an open circuit's next probe; during a probe, the time at which another one may replace it. */
  probeAt: Date | null;
  failedProbes: number;
}

const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** Half a minute before the first probe, doubled after each failed probe, up to five minutes. */
function pauseMs(failedProbes: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failedProbes, 20), LONGEST_PAUSE_MS);
}

/** The circuit after another failed attempt; `isProbe`: the attempt was made through the open circuit. */
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
