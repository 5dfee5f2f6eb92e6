import { webcrypto } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import type { FileStoreEnvironment } from '../environment.js';
import { type HttpAnswer, httpIn, type Send } from '../objects/http-exchange.js';
import { encodedPath, encodedQuery } from '../objects/object-path.js';
import type { ObjectClient, ObjectRequest } from '../objects/object.store.js';
import type { S3Settings } from '../settings.js';
import { bucketUrl, DEFAULT_REGION } from './s3-address.js';

async function sha256(bytes: Buffer): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

/** Signs requests to one bucket. The credentials are those of the settings; nothing of the machine is read. */
export class S3Client implements ObjectClient {
  private readonly region: string;
  private readonly bucket: string;
  private readonly send: Send;
  private readonly cache = new Map<string, ArrayBuffer>();

  constructor(
    private readonly settings: S3Settings,
    private readonly environment: FileStoreEnvironment,
  ) {
    this.region = settings.region || DEFAULT_REGION;
    this.bucket = bucketUrl(settings, this.region);
    this.send = httpIn(environment);
  }

  async request({
    method,
    key,
    query = {},
    headers = {},
    body,
    ...rest
  }: ObjectRequest): Promise<HttpAnswer> {
    const url = `${this.bucket}/${encodedPath(key)}${encodedQuery(query)}`;
    const signer = new AwsV4Signer({
      method,
      url,
      headers: { ...headers, 'x-amz-content-sha256': await sha256(body ?? Buffer.alloc(0)) },
      accessKeyId: this.settings.access_key_id,
      secretAccessKey: this.settings.secret_access_key,
      service: 's3',
      region: this.region,
      cache: this.cache,
      datetime: new Date(this.environment.now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    });
    const signed = await signer.sign();
    return this.send({
      method,
      url: new URL(url),
      headers: Object.fromEntries(signed.headers as Iterable<[string, string]>),
      body,
      ...rest,
    });
  }
}
