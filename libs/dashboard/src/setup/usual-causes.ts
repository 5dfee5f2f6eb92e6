export type AddressProblem = 'local' | 'http' | null;

/** Why a device may not reach a URL that this browser can open. */
export function addressProblem(address: string): AddressProblem {
  const { hostname, protocol } = new URL(address);
  if (/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return 'local';
  return protocol === 'https:' ? null : 'http';
}

const TOLERATED_MS = 60_000;

/** The difference between two clocks; null if it is harmless. */
export function clockDifference(here: number, there: number): number | null {
  const differenceMs = Math.abs(here - there);
  return differenceMs > TOLERATED_MS ? differenceMs : null;
}
