/** A URL that this server must not call. The message is for the user who configured it. */
export class OutboundUrlRefused extends Error {
  constructor(
    readonly reason: 'not_a_url' | 'scheme' | 'credentials' | 'private_address' | 'own_host',
    message: string,
  ) {
    super(message);
    this.name = 'OutboundUrlRefused';
  }
}

/** `refused`: URL or headers not allowed, nothing sent; `reset`: ended early; `protocol`: response not valid HTTP. */
export type OutboundFailure = 'refused' | 'timeout' | 'dns' | 'connect' | 'tls' | 'reset' | 'protocol';

/** A request without a response. The message is for the user who configured the URL. */
export class OutboundRequestFailed extends Error {
  constructor(
    readonly kind: OutboundFailure,
    message: string,
  ) {
    super(message);
    this.name = 'OutboundRequestFailed';
  }
}
