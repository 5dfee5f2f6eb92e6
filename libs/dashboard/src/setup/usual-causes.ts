export type AddressProblem = 'local' | 'http' | null;

/** What a device may have against an address that this browser can open. */
export function addressProblem(address: string): AddressProblem {
  const { hostname, protocol } = new URL(address);
  if (/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return 'local';
  return protocol === 'https:' ? null : 'http';
}

const TOLERATED_MS = 60_000;

/** How far two clocks are apart; null if that harms nothing. */
export function clockDifference(here: number, there: number): number | null {
  const differenceMs = Math.abs(here - there);
  return differenceMs > TOLERATED_MS ? differenceMs : null;
}
