import { Column, Entity, PrimaryColumn } from 'typeorm';

type ImageForm = 'heic' | 'heic_low_res' | 'webp' | 'webp_low_res';

/** Forms of a file by their names on the wire. A font has `original` only. */
export type AssetFormats<Value> = { original: Value } & { [Form in ImageForm]?: Value };

/** An uploaded image or font. Its bytes are blobs. */
@Entity('media_assets')
export class MediaAsset {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  filename: string;

  /** Type of `original`. */
  @Column('text')
  contentType: string;

  /** Pixels of `original`; null for a font. */
  @Column('integer', { nullable: true })
  width: number | null;

  @Column('integer', { nullable: true })
  height: number | null;

  /** Name by which phones find a font; null for an image. */
  @Column('text', { nullable: true })
  postScriptName: string | null;

  /** MD5 of a font in hexadecimal digits, which phones compare; null for an image. */
  @Column('text', { nullable: true })
  md5: string | null;

  /** SHA-256 of the uploaded file, in hexadecimal digits. */
  @Column('text')
  sha256: string;

  /** Bytes of all forms. */
  @Column('integer')
  size: number;

  /** Refs of the blobs. */
  @Column('jsonb')
  formats: AssetFormats<string>;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
