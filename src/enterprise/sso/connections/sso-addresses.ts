/** The addresses of a connection on this server; identity providers know them by heart, so they never change. */
export function samlAddresses(baseUrl: string, id: string): { spEntityId: string; acsUrl: string } {
  return { spEntityId: `${baseUrl}/sso/saml/${id}/metadata`, acsUrl: `${baseUrl}/sso/saml/${id}/acs` };
}

export function oidcRedirectUri(baseUrl: string, id: string): string {
  return `${baseUrl}/sso/oidc/${id}/callback`;
}

export function startUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/sso/connections/${id}/start`;
}
