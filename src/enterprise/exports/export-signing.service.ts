import { Injectable } from '@nestjs/common';
import { deriveKey, type FileSigner, fileSigner } from '../../../libs/signing/index.js';
import { Config } from '../../platform/config/config.js';

const PURPOSE = 'service/exports/v1';

/** The key that signs exports. It is derived like that of customer tokens, and never the same. */
@Injectable()
export class ExportSigningService {
  /** Null if the server has no root key. */
  readonly signer: FileSigner | null;

  constructor({ signingKey, encryptionKey }: Config) {
    const rootKey = signingKey ?? encryptionKey;
    this.signer = rootKey && fileSigner(deriveKey(rootKey, PURPOSE));
  }
}
