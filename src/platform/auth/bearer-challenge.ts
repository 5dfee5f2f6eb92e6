interface Challenge {
  /** Absent if the request carried no token (RFC 6750, 3.1). */
  error?: 'invalid_token' | 'insufficient_scope';
  /** Separated by spaces: all that the request needs. */
  scope: string;
}

/** `WWW-Authenticate` for OAuth clients: why they were refused, and where to learn how to get a token (RFC 9728). */
export function bearerChallenge(issuer: string, { error, scope }: Challenge): string {
  const parts = [
    ...(error ? [`error="${error}"`] : []),
    `resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp"`,
    `scope="${scope}"`,
  ];
  return `Bearer ${parts.join(', ')}`;
}
