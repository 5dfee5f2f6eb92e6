import type { FileStoreEnvironment } from '../environment.js';
import { type HttpAnswer, httpIn, type Send } from '../objects/http-exchange.js';
import { encodedPath, encodedQuery } from '../objects/object-path.js';
import type { ObjectClient, ObjectRequest } from '../objects/object.store.js';
import type { AzureContainer } from './azure-account.js';
import { sharedKeyAuthorization } from './shared-key.js';

/** The first version with blocks of more than 100 MiB is 2019-12-12. */
const API_VERSION = '2021-12-02';

/** Authorizes requests to one container. */
export class AzureClient implements ObjectClient {
  private readonly send: Send;

  constructor(
    private readonly container: AzureContainer,
    private readonly environment: FileStoreEnvironment,
  ) {
    this.send = httpIn(environment);
  }

  request({ method, key, query = {}, headers = {}, body, ...rest }: ObjectRequest): Promise<HttpAnswer> {
    const { url: place, credential } = this.container;
    const url = new URL(`${place}/${encodedPath(key)}${encodedQuery(query)}`);
    const sent: Record<string, string> = {
      ...headers,
      'x-ms-date': new Date(this.environment.now()).toUTCString(),
      'x-ms-version': API_VERSION,
    };
    if ('sas' in credential) {
      url.search += `${url.search === '' ? '?' : '&'}${credential.sas}`;
    } else {
      const unsigned = { method, url, headers: sent, contentLength: body?.length ?? 0 };
      sent['authorization'] = sharedKeyAuthorization(unsigned, credential.account, credential.key);
    }
    return this.send({ method, url, headers: sent, body, ...rest });
  }
}
