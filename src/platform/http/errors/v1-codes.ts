interface V1CodeEntry {
  meaning: string;
  /** HTTP statuses used with the code. Empty: clients know the code, but this server never sends it. */
  statuses: readonly number[];
}

/**
 * Every error code of the SDK format and REST v1. After posting a receipt, SDKs finish the purchase on a 4xx and keep
 * it on a 5xx, so any error that time or a setting can fix is a 5xx.
 */
export const v1Codes = {
  7000: {
    meaning: 'The platform, or this action for its store, is not supported; a balance is too low',
    statuses: [400, 422],
  },
  7012: { meaning: 'Email address not valid', statuses: [] },
  7101: { meaning: 'The store refused, or could not be reached', statuses: [400, 503] },
  7102: { meaning: 'The purchase belongs to another customer and stays with them', statuses: [400] },
  7103: { meaning: 'Receipt not valid', statuses: [400] },
  7104: { meaning: 'Shared secret of the app missing or wrong', statuses: [503] },
  7105: { meaning: 'Payment mode or introductory price missing', statuses: [400] },
  7106: { meaning: 'Product id missing', statuses: [400] },
  7107: { meaning: 'Play service credentials missing or wrong', statuses: [503] },
  7110: { meaning: 'The server failed, or too many attempts to sign in', statuses: [429, 500, 503] },
  7220: { meaning: 'App user id empty or not allowed', statuses: [400] },
  7224: { meaning: 'Token not valid', statuses: [401, 403] },
  7225: { meaning: 'Key missing, unknown or of the wrong kind', statuses: [401, 403] },
  7226: { meaning: 'Bad request', statuses: [400, 405, 409, 413] },
  7229: { meaning: 'Play quota exceeded', statuses: [503] },
  7230: { meaning: 'Play package name not valid', statuses: [503] },
  7231: { meaning: 'Play failed', statuses: [503] },
  7232: { meaning: 'Not eligible for the promotional offer', statuses: [400] },
  7234: { meaning: 'In-app purchase key of the app missing or wrong', statuses: [400, 503] },
  7255: { meaning: 'Alias could not be made', statuses: [] },
  7256: { meaning: 'App user id not valid (7220 is used)', statuses: [] },
  7259: { meaning: 'Not found', statuses: [404] },
  7263: { meaning: 'Some attributes are not valid', statuses: [400] },
  7264: { meaning: 'The attributes of the body are malformed', statuses: [400] },
  7629: { meaning: 'The attributes are being changed by another request', statuses: [503] },
  7638: { meaning: 'The same request is in progress, or too many requests', statuses: [429, 503] },
  7651: { meaning: 'The payment is not complete', statuses: [503] },
  7662: { meaning: 'Product ids malformed, or receipt not accepted in this form', statuses: [400, 403] },
  7712: { meaning: 'The product is not in the receipt', statuses: [400] },
  7772: { meaning: 'Already subscribed', statuses: [] },
  7773: { meaning: 'Payment gateway error', statuses: [] },
  7814: { meaning: 'Web offer not found', statuses: [] },
  7834: { meaning: 'The domain of the email address accepts no mail', statuses: [] },
  7849: { meaning: 'Redemption token not valid', statuses: [400] },
  7852: { meaning: 'The redeemed purchase belongs to another user', statuses: [400] },
  7853: { meaning: 'Redemption token expired', statuses: [400] },
  7877: { meaning: 'No such web checkout', statuses: [400] },
  7878: { meaning: 'The web purchase cannot be completed', statuses: [400] },
  7879: { meaning: 'Email address required', statuses: [] },
  7898: { meaning: 'Gateway: tax collection inactive', statuses: [] },
  7899: { meaning: 'Gateway: tax origin address missing', statuses: [] },
  7900: { meaning: 'Gateway: permission missing', statuses: [] },
  7901: { meaning: 'Gateway: sandbox only', statuses: [] },
  7967: { meaning: 'Paddle key not valid', statuses: [] },
  7981: { meaning: 'Access token of a customer not valid (7224 is used)', statuses: [] },
  8077: { meaning: 'An authenticated user cannot be made an alias', statuses: [400] },
} as const satisfies Record<number, V1CodeEntry>;

export type V1Code = keyof typeof v1Codes;
