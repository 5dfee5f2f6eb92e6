import { Injectable } from '@nestjs/common';
import { type Sealer, sealerOf } from '../../../libs/signing/index.js';
import { Config } from '../config/config.js';

/** Encrypts values that must be readable again: webhook secrets, store credentials. */
@Injectable()
export class SecretsService implements Sealer {
  private readonly sealer: Sealer;
  private readonly other: Sealer | null;

  constructor(config: Config) {
    if (config.encryptionKey === null)
      throw new Error('The encryption key must be known before the application starts');
    this.sealer = sealerOf(config.encryptionKey);
    this.other = config.otherEncryptionKey && sealerOf(config.otherEncryptionKey);
  }

  /** `place` names row and column (`<project>/<row>/<column>`): a sealed text copied elsewhere cannot be opened. */
  seal(plain: string, place: string): string {
    return this.sealer.seal(plain, place);
  }

  /** @throws Error if the text was changed, moved or sealed with an unknown key */
  open(sealed: string, place: string): string {
    if (this.other === null) return this.sealer.open(sealed, place);
    try {
      return this.sealer.open(sealed, place);
    } catch {
      return this.other.open(sealed, place);
    }
  }
}
