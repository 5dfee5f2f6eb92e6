/** A URL that this server must not call. The message is meant for the person who configured it. */
export class OutboundUrlRefused extends Error {
  constructor(
    readonly reason: 'not_a_url' | 'scheme' | 'credentials' | 'private_address' | 'unresolvable',
    message: string,
  ) {
    super(message);
    this.name = 'OutboundUrlRefused';
  }
}

/** A call that got no answer. */
export class OutboundRequestFailed extends Error {
  constructor(
    readonly kind: 'refused' | 'timeout' | 'dns' | 'connect' | 'tls' | 'reset' | 'protocol',
    message: string,
  ) {
    super(message);
    this.name = 'OutboundRequestFailed';
  }
}
