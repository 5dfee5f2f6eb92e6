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
  private build?: () => OpenAPIObject;
  private document?: OpenAPIObject;
  private serializing?: Promise<SerializedDocument>;

  /** Must be called before the application starts. Builds on first use: few processes are asked for the document. */
  buildWith(build: () => OpenAPIObject): void {
    this.build = build;
  }

  get(): OpenAPIObject {
    if (!this.build) throw new Error('the application has not started');
    this.document ??= this.build();
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
