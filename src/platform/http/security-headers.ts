import helmet from 'helmet';

/** Security headers for browsers, for example on Swagger UI. SDKs are not browsers; their answers stay small. */
export const securityHeaders = helmet({
  contentSecurityPolicy: {
    directives: {
      // A server tried out on a developer's machine has no TLS.
      'upgrade-insecure-requests': null,
      'frame-ancestors': ["'none'"],
    },
  },
  xFrameOptions: { action: 'deny' },
});
