import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { NotGenuine } from '../apple/not-genuine.js';
import { readRokuMessage, type RokuNotification } from './notification.js';
import { type ReadRokuAddress, RokuKeys } from './roku-keys.js';

export const rokuKeyUrls = {
  production: 'https://assets.cs.roku.com/keys/partner-jwks.json',
  test: 'https://assets.cs.roku.com/keys/partner-jwks-test.json',
};

export interface RokuPush {
  notification: RokuNotification;
  /** Roku's id of the message. */
  messageKey: string;
}

const ISSUER = 'Roku, Inc. urn:roku:apps:partner-service.roku.com';
const MESSAGE_TYPE = 'roku.rpay.push';
/** The header is parsed before the signature is verified, so its length is limited. */
const COMPACT = /^[\w-]{1,4096}\.[\w-]+\.[\w-]+$/;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const TOLERANCE_S = 60;
const MAX_MESSAGE_KEY = 500;

/** Until signing is enabled at Roku, every message arrives as plain JSON. */
export class RokuUnsigned extends NotGenuine {
  constructor() {
    super(
      'Roku sends unsigned notifications. Switch on signature authentication for this address in the Roku Developer Dashboard.',
    );
    this.name = 'RokuUnsigned';
  }
}

function compactOf(body: Buffer): string {
  const text = body.toString('utf8').trim();
  if (text.startsWith('{')) throw new RokuUnsigned();
  if (!COMPACT.test(text)) throw new NotGenuine('The body is not a signed message of Roku.');
  return text;
}

function pushOf(claims: JWTPayload): RokuPush {
  const { 'x-Roku-message': message, 'x-Roku-message-key': key, 'x-Roku-message-type': type } = claims;
  if (type !== MESSAGE_TYPE || typeof message !== 'string' || !BASE64.test(message)) {
    throw new NotGenuine('The message is not a push notification of Roku Pay.');
  }
  if (typeof key !== 'string' || key === '' || key.length > MAX_MESSAGE_KEY) {
    throw new NotGenuine('The message has no x-Roku-message-key.');
  }
  // Buffer decodes both base64 alphabets.
  return { messageKey: key, notification: readRokuMessage(Buffer.from(message, 'base64').toString('utf8')) };
}

/** Parses a message that was verified on arrival. @throws NotGenuine if it is not one */
export function readRokuPush(body: Buffer): RokuPush {
  try {
    return pushOf(decodeJwt(compactOf(body)));
  } catch (error) {
    if (error instanceof NotGenuine) throw error;
    throw new NotGenuine('The body is not a signed message of Roku.');
  }
}

/**
 * Verifies push messages with Roku's public keys, read only from its own address: key locations in a message are never
 * followed. The signature proves that Roku sent it, but not for whom: Roku signs for all developers with the same keys.
 */
export class RokuPushVerifier {
  private readonly keys: RokuKeys;
  private readonly testKeys: RokuKeys;

  constructor(
    read: ReadRokuAddress,
    private readonly nowMs: () => number,
  ) {
    this.keys = new RokuKeys(rokuKeyUrls.production, read, nowMs);
    this.testKeys = new RokuKeys(rokuKeyUrls.test, read, nowMs);
  }

  /** @throws NotGenuine; RokuKeysUnavailable if the keys could not be read */
  async verify(body: Buffer, { allowTest }: { allowTest: boolean }): Promise<RokuPush> {
    const text = compactOf(body);
    try {
      return pushOf(await this.claims(text, this.keys));
    } catch (error) {
      const isOfOtherKey = error instanceof errors.JOSEError && error.code === 'ERR_JWKS_NO_MATCHING_KEY';
      if (!allowTest || !isOfOtherKey) throw refusal(error);
    }
    try {
      return pushOf(await this.claims(text, this.testKeys));
    } catch (error) {
      throw refusal(error);
    }
  }

  private async claims(text: string, keys: RokuKeys): Promise<JWTPayload> {
    const { payload } = await jwtVerify(text, keys.find, {
      algorithms: ['RS256'],
      issuer: ISSUER,
      clockTolerance: TOLERANCE_S,
      requiredClaims: ['exp'],
      currentDate: new Date(this.nowMs()),
    });
    return payload;
  }
}

function refusal(error: unknown): unknown {
  return error instanceof errors.JOSEError
    ? new NotGenuine('The signature of the message is not valid.')
    : error;
}
