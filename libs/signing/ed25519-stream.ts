import { createHash, type Hash } from 'node:crypto';
import { keyId, keyPair } from './ed25519.js';

/** The order of the base point, and the field's prime (RFC 8032, 5.1). */
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const P = 2n ** 255n - 19n;
const SCALAR_BITS = 253;

/** A point in extended homogeneous coordinates: x = X/Z, y = Y/Z, xy = T/Z. */
type Point = readonly [X: bigint, Y: bigint, Z: bigint, T: bigint];

const mod = (value: bigint, modulus = P): bigint => ((value % modulus) + modulus) % modulus;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = mod(base), rest = exponent; rest > 0n; rest >>= 1n, square = mod(square * square))
    if (rest & 1n) result = mod(result * square);
  return result;
}

const inverse = (value: bigint): bigint => power(value, P - 2n);

/** The curve's 2d. */
const D2 = mod(-2n * 121665n * inverse(121666n));
const BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202n;
const BASE_Y = mod(4n * inverse(5n));
const base: Point = [BASE_X, BASE_Y, 1n, mod(BASE_X * BASE_Y)];
const neutral: Point = [0n, 1n, 1n, 0n];

/** The complete addition of RFC 8032, 5.1.4, which is right for equal points too. */
function add([x1, y1, z1, t1]: Point, [x2, y2, z2, t2]: Point): Point {
  const a = mod((y1 - x1) * (y2 - x2));
  const b = mod((y1 + x1) * (y2 + x2));
  const c = mod(t1 * D2 * t2);
  const d = mod(2n * z1 * z2);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

/** Both additions are made for every bit, so that the time does not depend on how many bits are set. */
function timesBase(scalar: bigint): Point {
  let result = neutral;
  for (let bit = SCALAR_BITS - 1; bit >= 0; bit--) {
    const doubled = add(result, result);
    const more = add(doubled, base);
    result = (scalar >> BigInt(bit)) & 1n ? more : doubled;
  }
  return result;
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

function bytesOf(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
}

function encoded([x, y, z]: Point): Buffer {
  const bytes = bytesOf(mod(y * inverse(z)));
  if (mod(x * inverse(z)) & 1n) bytes[31] = (bytes[31] as number) | 0x80;
  return bytes;
}

/** One signature in the making. The message is passed twice, with the same bytes. */
export interface StreamSignature {
  update(chunk: Uint8Array): void;
  /**
   * Once all of the message went through `update`. Returns the 64 bytes.
   * @throws Error if the second reading differs: two signatures with one nonce would reveal the key
   */
  finish(again: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Buffer>;
}

export interface StreamSigner {
  /** First 16 hexadecimal digits of the SHA-256 of the raw public key. */
  readonly keyId: string;
  /** 32 bytes. */
  readonly publicKey: Buffer;
  begin(): StreamSignature;
}

/**
 * Ed25519 (RFC 8032) over messages that do not fit into memory, which node:crypto cannot do: it reads the message
 * twice. The signature has the same bytes as that of node:crypto.
 * @throws RangeError unless the seed has 32 bytes
 */
export function streamSigner(seed: Buffer): StreamSigner {
  const { publicKey } = keyPair(seed);
  const expanded = createHash('sha512').update(seed).digest();
  const secret = littleEndian(clamped(expanded.subarray(0, 32)));
  const begin = (): StreamSignature => {
    const prefixed = (): Hash => createHash('sha512').update(expanded.subarray(32));
    const first = prefixed();
    return {
      update: (chunk) => void first.update(chunk),
      async finish(again) {
        const nonce = scalarOf(first);
        const point = encoded(timesBase(nonce));
        const second = createHash('sha512').update(point).update(publicKey);
        const repeated = prefixed();
        for await (const chunk of again) {
          second.update(chunk);
          repeated.update(chunk);
        }
        if (scalarOf(repeated) !== nonce) throw new Error('The message changed while it was signed');
        return Buffer.concat([point, bytesOf(mod(nonce + scalarOf(second) * secret, L))]);
      },
    };
  };
  return { keyId: keyId(publicKey), publicKey, begin };
}

function scalarOf(hash: Hash): bigint {
  return mod(littleEndian(hash.digest()), L);
}

function clamped(half: Uint8Array): Buffer {
  const bytes = Buffer.from(half);
  bytes[0] = (bytes[0] as number) & 248;
  bytes[31] = ((bytes[31] as number) & 127) | 64;
  return bytes;
}
