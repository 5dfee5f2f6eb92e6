import helmet from 'helmet';

/**
 * Headers that tell browsers to be careful with what this server answers, Swagger UI among it. The SDKs are no
 * browsers; their answers stay as small as they are.
 */
export const securityHeaders = helmet({
  contentSecurityPolicy: {
    directives: {
      // Servers that people try on their own machine have no TLS.
      'upgrade-insecure-requests': null,
      'frame-ancestors': ["'none'"],
    },
  },
  xFrameOptions: { action: 'deny' },
});
