import { createHash } from 'node:crypto';

/** The version of the configuration. SDKs that send it back are up to date. */
export const MANIFEST = 'v1.empty';

const CHECKSUM_LENGTH = 24;
const ALIGNMENT = 8;

/** A container with one uncompressed element: `RC`, version 1, checksum and length of the payload. */
function container(payload: Buffer): Buffer {
  const header = Buffer.from([0x52, 0x43, 1, 0, 0, 0, 0, 0]);
  const element = Buffer.alloc(32);
  createHash('sha256').update(payload).digest().copy(element, 0, 0, CHECKSUM_LENGTH);
  element.writeUInt32LE(payload.length, CHECKSUM_LENGTH);
  const padding = Buffer.alloc((ALIGNMENT - (payload.length % ALIGNMENT)) % ALIGNMENT);
  return Buffer.concat([header, element, payload, padding]);
}

/** The payload that SDKs decode and that the signature covers. Without topics, no features are enabled. */
export const configPayload = Buffer.from(
  JSON.stringify({ domain: 'app', manifest: MANIFEST, active_topics: [], prefetch_blobs: [], topics: {} }),
);

export const configContainer = container(configPayload);
