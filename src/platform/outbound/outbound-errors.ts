/** A URL that this server must not call. The message is meant for the person who configured it. */
export class OutboundUrlRefused extends Error {
  constructor(
    readonly reason: 'not_a_url' | 'scheme' | 'credentials' | 'private_address' | 'own_host',
    message: string,
  ) {
    super(message);
    this.name = 'OutboundUrlRefused';
  }
}

/**
 * `refused`: nothing was sent, because URL or headers are not allowed; `reset`: the connection ended early;
 * `protocol`: what came back is not HTTP as we speak it.
 */
export type OutboundFailure = 'refused' | 'timeout' | 'dns' | 'connect' | 'tls' | 'reset' | 'protocol';

/** A call that got no answer. The message is meant for the person who configured the URL. */
export class OutboundRequestFailed extends Error {
  constructor(
    readonly kind: OutboundFailure,
    message: string,
  ) {
    super(message);
    this.name = 'OutboundRequestFailed';
  }
}
