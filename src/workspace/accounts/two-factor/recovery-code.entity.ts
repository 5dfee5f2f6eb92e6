import { Entity, PrimaryColumn } from 'typeorm';

/** An unused recovery code. */
@Entity('recovery_codes')
export class RecoveryCode {
  @PrimaryColumn({ type: 'text' })
  userId: string;

  /** SHA-256 of 128 random bits. */
  @PrimaryColumn({ type: 'bytea' })
  codeHash: Buffer;
}
