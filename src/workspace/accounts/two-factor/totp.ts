import { timingSafeEqual } from 'node:crypto';
import { HOTP, Secret, TOTP } from 'otpauth';

const ISSUER = 'Tenure';
const PERIOD_S = 30;
const PARAMETERS = { algorithm: 'SHA1', digits: 6 };
/** Number of steps before and after the current one whose code is accepted (RFC 6238, 5.2). */
const WINDOW = 1;

/** 160 random bits in base32, the length that RFC 4226 recommends. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** URL for the QR code that an authenticator app scans. */
export function otpauthUrl(secret: string, email: string): string {
  return new TOTP({ ...PARAMETERS, issuer: ISSUER, label: email, period: PERIOD_S, secret }).toString();
}

export function stepAt(nowMs: number): number {
  return Math.floor(nowMs / 1000 / PERIOD_S);
}

export function codeOfStep(secret: string, step: number): string {
  return HOTP.generate({ ...PARAMETERS, secret: Secret.fromBase32(secret), counter: step });
}

export function isTotpCode(code: string): boolean {
  return /^\d{6}$/.test(code);
}

/**
 * Returns the time step of a six-digit code, or null. Steps up to the last used one no longer count, so a code works
 * once (RFC 6238, 5.2).
 */
export function stepOfCode(
  { secret, lastStep }: { secret: string; lastStep: number | null },
  code: string,
  nowMs: number,
): number | null {
  const present = stepAt(nowMs);
  for (let step = present - WINDOW; step <= present + WINDOW; step++) {
    if (step > (lastStep ?? -1) && timingSafeEqual(Buffer.from(codeOfStep(secret, step)), Buffer.from(code)))
      return step;
  }
  return null;
}
