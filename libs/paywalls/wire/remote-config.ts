import { createHash } from 'node:crypto';
import { blobRef, container, type ContainerElement, isBlobRef, plainElement } from './container.js';

/** Parts of `ui_config`, each a blob of its own. */
export const uiConfigItems = ['app', 'localizations', 'variable_config', 'custom_variables'] as const;

export type UiConfigItem = (typeof uiConfigItems)[number];
export type UiConfigRefs = Record<UiConfigItem, string>;

export interface PublishedWorkflow {
  paywallId: string;
  offeringIdentifier: string;
  ref: string;
  /** Whether the SDK should fetch it before it is shown. */
  prefetch: boolean;
}

export interface RemoteConfigParts {
  /** Address of the blobs of the project, without the ref. */
  blobsUrl: string;
  uiConfig: UiConfigRefs;
  /** In the order in which they are fetched in advance. */
  workflows: readonly PublishedWorkflow[];
}

export interface RemoteConfig {
  /** The version of the configuration. SDKs that send it back are up to date. */
  manifest: string;
  /** The element that SDKs decode first and that the signature covers. */
  payload: Buffer;
  prefetchRefs: readonly string[];
}

const MAX_PREFETCHED = 10;
/** Blobs of one response, uncompressed. The SDK fetches the others by address. */
const MAX_INLINE_BYTES = 256 * 1024;
/** Refs that a request may list. */
const MAX_LISTED_REFS = 200;

const emptyParts = { active_topics: [], prefetch_blobs: [], topics: {} };

export function workflowId(paywallId: string): string {
  return `wf${paywallId}`;
}

function payloadOf(manifest: string, parts: object): Buffer {
  return Buffer.from(JSON.stringify({ domain: 'app', manifest, ...parts }));
}

function manifestOf(parts: object): string {
  const hash = createHash('sha256').update(JSON.stringify({ domain: 'app', ...parts }));
  return `v1.${hash.digest().subarray(0, 24).toString('base64url')}`;
}

/** Configuration without topics, with which no features are enabled. */
export const emptyRemoteConfig: RemoteConfig = {
  manifest: 'v1.empty',
  payload: payloadOf('v1.empty', emptyParts),
  prefetchRefs: [],
};

/** The configuration of a project with published paywalls. Each response carries all topics. */
export function remoteConfig({ blobsUrl, uiConfig, workflows }: RemoteConfigParts): RemoteConfig {
  if (workflows.length === 0) return emptyRemoteConfig;
  const prefetched = new Set(workflows.filter(({ prefetch }) => prefetch).slice(0, MAX_PREFETCHED));
  const prefetchRefs = [
    ...new Set([...[...prefetched].map(({ ref }) => ref), ...uiConfigItems.map((item) => uiConfig[item])]),
  ];
  const parts = {
    active_topics: ['sources', 'ui_config', 'workflows'],
    prefetch_blobs: prefetchRefs,
    topics: {
      sources: {
        blob: { sources: [{ url_format: `${blobsUrl}/{blob_ref}`, priority: 0, weight: 1 }] },
      },
      ui_config: Object.fromEntries(
        uiConfigItems.map((item) => [item, { blob_ref: uiConfig[item], prefetch: true }]),
      ),
      workflows: Object.fromEntries(
        workflows.map((workflow) => [
          workflowId(workflow.paywallId),
          {
            offering_identifier: workflow.offeringIdentifier,
            blob_ref: workflow.ref,
            prefetch: prefetched.has(workflow),
          },
        ]),
      ),
    },
  };
  const manifest = manifestOf(parts);
  return { manifest, payload: payloadOf(manifest, parts), prefetchRefs };
}

/** Blobs that a response carries: those that the SDK lacks, in order, while they fit. */
export function inlineRefs(
  { prefetchRefs }: RemoteConfig,
  prefetchedBlobs: unknown,
  lengthOf: (ref: string) => number | undefined,
): string[] {
  const listed = Array.isArray(prefetchedBlobs) ? prefetchedBlobs.slice(0, MAX_LISTED_REFS) : [];
  const held = new Set(listed.filter(isBlobRef));
  const inline: string[] = [];
  let bytes = 0;
  for (const ref of prefetchRefs) {
    const length = held.has(ref) ? undefined : lengthOf(ref);
    if (length === undefined) continue;
    bytes += length;
    if (bytes > MAX_INLINE_BYTES) break;
    inline.push(ref);
  }
  return inline;
}

/** The response: the configuration, never compressed, and the blobs in their encoding. */
export function configContainer(
  { payload }: RemoteConfig,
  elements: readonly ContainerElement[] = [],
): Buffer {
  return container([plainElement(payload), ...elements]);
}

/** A JSON value as a blob with its ref. */
export function jsonBlob(value: object): { ref: string; bytes: Buffer } {
  const bytes = Buffer.from(JSON.stringify(value));
  return { ref: blobRef(bytes), bytes };
}
