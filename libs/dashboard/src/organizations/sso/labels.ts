export const kindLabels = { saml: 'SAML 2.0', oidc: 'OpenID Connect' };
