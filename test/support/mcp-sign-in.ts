import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';

/** Sign-in state of a program with an official client: an `OAuthClientProvider` of both versions. */
export class SignInMemory {
  /** Address to which the person is sent. */
  asked: URL | null = null;
  saved: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string } = {};
  /** Set: the client finds no refresh token, so that it has to ask the person. */
  mustAsk = false;
  private states = 0;
  private discovered: unknown;

  constructor(readonly redirectUrl: string) {}

  get clientMetadata(): OAuthClientMetadata {
    return { client_name: 'Official client', redirect_uris: [this.redirectUrl] };
  }

  state(): string {
    this.states++;
    return `state ${this.states} &=`;
  }

  /** Once: what the client asks of the person. @throws Error if it asked nothing */
  takeAsked(): URL {
    const { asked } = this;
    if (asked === null) throw new Error('The client did not send the person anywhere.');
    this.asked = null;
    return asked;
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.saved.client;
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.saved.client = client;
  }

  tokens(): OAuthTokens | undefined {
    const { tokens } = this.saved;
    return tokens && this.mustAsk ? { ...tokens, refresh_token: undefined } : tokens;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.saved.tokens = tokens;
    this.mustAsk = false;
  }

  saveDiscoveryState(state: unknown): void {
    this.discovered = state;
  }

  discoveryState(): never {
    return this.discovered as never;
  }

  redirectToAuthorization(url: URL): void {
    this.asked = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.saved.verifier = verifier;
  }

  codeVerifier(): string {
    return this.saved.verifier ?? '';
  }

  invalidateCredentials(scope: string): void {
    if (scope === 'tokens' || scope === 'all') delete this.saved.tokens;
    if (scope === 'client' || scope === 'all') delete this.saved.client;
  }
}
