import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';

const gzipped = promisify(gzip);

/** The document, serialized once: it is about a megabyte, and the route needs no credential. */
export interface SerializedDocument {
  /** Weak, because the plain and the compressed text share it. */
  etag: string;
  plain: Buffer;
  gzip: Buffer;
}

/** The OpenAPI document of this server, for clients and for code that derives other interfaces from it. */
@Injectable()
export class OpenApiDocumentService {
  private document?: OpenAPIObject;
  private serializing?: Promise<SerializedDocument>;

  /** Must be called before the application starts. */
  set(document: OpenAPIObject): void {
    this.document = document;
  }

  get(): OpenAPIObject {
    if (!this.document) throw new Error('the OpenAPI document is made before the application starts');
    return this.document;
  }

  serialized(): Promise<SerializedDocument> {
    this.serializing ??= this.serialize();
    return this.serializing;
  }

  private async serialize(): Promise<SerializedDocument> {
    const plain = Buffer.from(JSON.stringify(this.get()));
    const hash = createHash('sha256').update(plain).digest('base64url');
    return { etag: `W/"${hash}"`, plain, gzip: await gzipped(plain) };
  }
}
