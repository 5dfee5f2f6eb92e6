const policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  // No text becomes markup or code, whatever a page does with it.
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
};

/** Stricter than what every answer has (`securityHeaders`). */
export const pageHeaders = {
  'Content-Security-Policy': Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; '),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  // An upgrade is seen with the next page load; until then the ETag saves the transfer.
  'Cache-Control': 'no-cache',
};
