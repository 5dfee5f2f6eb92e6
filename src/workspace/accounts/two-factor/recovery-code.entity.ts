import { Entity, PrimaryColumn } from 'typeorm';

/** An unused recovery code. */
@Entity('recovery_codes')
export class RecoveryCode {
  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId: string;

  /** SHA-256 of 128 random bits. */
  @PrimaryColumn({ name: 'code_hash', type: 'bytea' })
  codeHash: Buffer;
}
