import helmet from 'helmet';

/** Security headers for browsers, for example on Swagger UI. SDKs ignore them, so their responses stay small. */
export const securityHeaders = helmet({
  contentSecurityPolicy: {
    directives: {
      // A server on a developer's machine has no TLS.
      'upgrade-insecure-requests': null,
      'frame-ancestors': ["'none'"],
    },
  },
  xFrameOptions: { action: 'deny' },
});
