import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { RecoveryCode } from './recovery-code.entity.js';

@Injectable()
export class RecoveryCodesRepository {
  constructor(@InjectRepository(RecoveryCode) private readonly codes: Repository<RecoveryCode>) {}

  /** With an empty list, the user has no codes left. */
  async replace(tx: Transaction, userId: string, hashes: Buffer[]): Promise<void> {
    const codes = onTransaction(this.codes, tx);
    await codes.delete({ userId });
    if (hashes.length > 0) await codes.insert(hashes.map((codeHash) => ({ userId, codeHash })));
  }

  /** Returns false if the user has no such code. */
  async delete(tx: Transaction, userId: string, codeHash: Buffer): Promise<boolean> {
    return (await onTransaction(this.codes, tx).delete({ userId, codeHash })).affected === 1;
  }
}
