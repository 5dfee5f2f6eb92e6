import { Injectable } from '@nestjs/common';
import {
  deriveKey,
  type StreamSignature,
  type StreamSigner,
  streamSigner,
} from '../../../libs/signing/index.js';
import { Config } from '../../platform/config/config.js';

const PURPOSE = 'service/exports/v1';

/** The key that signs exports. It is derived like that of customer tokens, and never the same. */
@Injectable()
export class ExportSigningService {
  private readonly signer: StreamSigner | null;

  constructor({ signingKey, encryptionKey }: Config) {
    const rootKey = signingKey ?? encryptionKey;
    this.signer = rootKey && streamSigner(deriveKey(rootKey, PURPOSE));
  }

  /** Null if the server has no root key. */
  get key(): { id: string; publicKey: Buffer } | null {
    return this.signer && { id: this.signer.keyId, publicKey: this.signer.publicKey };
  }

  /** Null if the server has no root key. */
  begin(): StreamSignature | null {
    return this.signer && this.signer.begin();
  }
}
