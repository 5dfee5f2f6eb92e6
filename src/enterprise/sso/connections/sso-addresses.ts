/** Addresses of a connection on this server. They must never change, because identity providers store them. */
export function samlAddresses(baseUrl: string, id: string): { spEntityId: string; acsUrl: string } {
  return { spEntityId: `${baseUrl}/sso/saml/${id}/metadata`, acsUrl: `${baseUrl}/sso/saml/${id}/acs` };
}

export function oidcRedirectUri(baseUrl: string, id: string): string {
  return `${baseUrl}/sso/oidc/${id}/callback`;
}

export function startUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/sso/connections/${id}/start`;
}
