import type { V1Code } from './v1-codes.js';

interface Kind {
  status: number;
  /** Status in the SDK and REST v1 format, if different: that format has fewer statuses. */
  v1Status?: number;
  type: string;
  code: V1Code;
  retryable: boolean;
}

const kinds = {
  parameter: { status: 400, type: 'parameter_error', code: 7226, retryable: false },
  invalid_request: { status: 400, type: 'invalid_request', code: 7226, retryable: false },
  unauthenticated: { status: 401, type: 'authentication_error', code: 7225, retryable: false },
  forbidden: { status: 403, type: 'authorization_error', code: 7225, retryable: false },
  missing: { status: 404, type: 'resource_missing', code: 7259, retryable: false },
  method_not_allowed: { status: 405, type: 'invalid_request', code: 7226, retryable: false },
  already_exists: {
    status: 409,
    v1Status: 400,
    type: 'resource_already_exists',
    code: 7226,
    retryable: false,
  },
  idempotency: { status: 409, type: 'idempotency_error', code: 7226, retryable: false },
  conflict: { status: 409, v1Status: 400, type: 'invalid_request', code: 7226, retryable: false },
  precondition_failed: { status: 412, v1Status: 400, type: 'invalid_request', code: 7226, retryable: false },
  too_large: { status: 413, type: 'invalid_request', code: 7226, retryable: false },
  unsupported_media_type: {
    status: 415,
    v1Status: 400,
    type: 'invalid_request',
    code: 7226,
    retryable: false,
  },
  impossible: {
    status: 422,
    v1Status: 400,
    type: 'unprocessable_entity_error',
    code: 7000,
    retryable: false,
  },
  balance_too_low: { status: 422, type: 'unprocessable_entity_error', code: 7000, retryable: false },
  archived_reference: {
    status: 422,
    v1Status: 400,
    type: 'entity_references_archived_entities',
    code: 7226,
    retryable: false,
  },
  store_refused: { status: 422, v1Status: 400, type: 'store_error', code: 7101, retryable: false },
  locked: { status: 423, v1Status: 503, type: 'resource_locked_error', code: 7638, retryable: true },
  misdirected: { status: 421, v1Status: 503, type: 'invalid_request', code: 7110, retryable: false },
  rate_limited: { status: 429, type: 'rate_limit_error', code: 7638, retryable: true },
  internal: { status: 500, type: 'server_error', code: 7110, retryable: true },
  mail: { status: 502, v1Status: 503, type: 'mail_error', code: 7110, retryable: true },
  overloaded: { status: 503, type: 'server_error', code: 7110, retryable: true },
  store_unreachable: { status: 503, type: 'store_error', code: 7101, retryable: true },
} as const satisfies Record<string, Kind>;

export type ErrorKind = keyof typeof kinds;

export interface ErrorDetails {
  /** Dotted path of the invalid request field (`subscription.duration`). */
  param?: string;
  /** SDK format: code, if it differs from the kind's default. */
  code?: V1Code;
  /** Account format: type (`signup_closed`), if it differs from the kind's default. */
  accountType?: string;
  /** V2 and account format: `reason`, which distinguishes causes of the same type. */
  reason?: string;
  /** V2 format: the deployment that stores the project. */
  elsewhere?: { region: string; apiUrl: string | null; appUrl: string | null };
  /** Account format: sign-in URL for `sso_required`. */
  ssoUrl?: string;
  /** Whole seconds until a retry makes sense; sent as `Retry-After`. */
  retryAfterS?: number;
  /** Ids of the objects that block the request (archived references). */
  referencedObjectIds?: string[];
  /** OAuth format: `error`, if it differs from the kind's default. */
  oauthError?: string;
  /** SCIM format: `scimType`, if it differs from the kind's default. */
  scimType?: string;
  /** Sent as `WWW-Authenticate`. */
  challenge?: string;
  /** V2 format: everything that is wrong with a paywall. */
  problems?: readonly object[];
  attributeErrors?: { key_name: string; message: string }[];
  /** SDK format: with 7853, the address to which a new link was mailed. */
  obfuscatedEmail?: string;
}

/** The only error that controllers and services throw on purpose. The filter renders it in each format. */
export class ApiError extends Error {
  constructor(
    readonly kind: ErrorKind,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
    this.name = 'ApiError';
  }

  get status(): number {
    return kinds[this.kind].status;
  }

  get v1Status(): number {
    const kind: Kind = kinds[this.kind];
    return kind.v1Status ?? kind.status;
  }

  get type(): string {
    return kinds[this.kind].type;
  }

  get code(): V1Code {
    return this.details.code ?? kinds[this.kind].code;
  }

  get retryable(): boolean {
    return kinds[this.kind].retryable;
  }

  static parameter(param: string, message: string): ApiError {
    return new ApiError('parameter', message, { param });
  }

  static missing(what: string, id: string, param?: string): ApiError {
    return new ApiError(
      'missing',
      `There is no ${what} ${JSON.stringify(id)}${what === 'project' ? '' : ' in this project'}.`,
      { param },
    );
  }

  static alreadyExists(param: string, message: string): ApiError {
    return new ApiError('already_exists', message, { param });
  }

  static invalidAppUserId(message: string, param: string): ApiError {
    return new ApiError('parameter', message, { param, code: 7220 });
  }
}

export const errorKinds = Object.keys(kinds) as ErrorKind[];

/** All v2 error types, for the documentation pages behind `doc_url`. */
export const errorTypes: readonly string[] = [...new Set(Object.values(kinds).map((kind) => kind.type))];
