const policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'frame-src': "'self'",
  'manifest-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  // No text becomes markup or code, whatever a page does with it.
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
};

/**
 * Of the page that renders paywalls, in a frame of the editor without an origin. Documents name images anywhere; scripts
 * come from here only, and nothing is sent.
 */
const previewPolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'unsafe-inline'",
  'img-src': "'self' https: data:",
  'media-src': 'https:',
  'font-src': "'self' https:",
  'connect-src': "'none'",
  'frame-src': "'none'",
  'frame-ancestors': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  // Also without the editor around it, so that the page never has the origin of the dashboard.
  sandbox: 'allow-scripts',
};

function policyText(directives: Record<string, string>): string {
  return Object.entries(directives)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}

/** Stricter than what every answer has (`securityHeaders`). */
export const pageHeaders = {
  'Content-Security-Policy': policyText(policy),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  // An upgrade is seen with the next page load; until then the ETag saves the transfer.
  'Cache-Control': 'no-cache',
};

export const previewHeaders = {
  ...pageHeaders,
  'Content-Security-Policy': policyText(previewPolicy),
  'X-Frame-Options': 'SAMEORIGIN',
};

/** The frame without an origin loads its scripts as another site would. */
export const previewAssetHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
