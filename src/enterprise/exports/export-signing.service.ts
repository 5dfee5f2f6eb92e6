import { Injectable } from '@nestjs/common';
import { deriveKey, type FileSigner, fileSigner } from '../../../libs/signing/index.js';
import { Config } from '../../platform/config/config.js';

const PURPOSE = 'service/exports/v1';

/** The key that signs exports. Derived like the key of customer tokens, but always different. */
@Injectable()
export class ExportSigningService {
  /** Null if the server has no root key. */
  readonly signer: FileSigner | null;

  constructor({ signingKey, encryptionKey }: Config) {
    const rootKey = signingKey ?? encryptionKey;
    this.signer = rootKey && fileSigner(deriveKey(rootKey, PURPOSE));
  }
}
