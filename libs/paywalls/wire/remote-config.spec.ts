import { createHash } from 'node:crypto';
import { blobRef } from './container.js';
import {
  configContainer,
  emptyRemoteConfig,
  inlineRefs,
  jsonBlob,
  type PublishedWorkflow,
  remoteConfig,
  type RemoteConfigParts,
} from './remote-config.js';

const ref = (name: string): string => blobRef(Buffer.from(name));

const uiConfig = {
  app: ref('app'),
  localizations: ref('localizations'),
  variable_config: ref('variable_config'),
  custom_variables: ref('custom_variables'),
};

function partsOf(count: number, prefetch = true): RemoteConfigParts {
  const workflows = Array.from({ length: count }, (_, index): PublishedWorkflow => {
    return {
      paywallId: `pw${index}`,
      offeringIdentifier: `offering_${index}`,
      ref: ref(`pw${index}`),
      prefetch,
    };
  });
  return { blobsUrl: 'https://tenure.example.com/v1/blobs/proj1', uiConfig, workflows };
}

const read = (payload: Buffer) => JSON.parse(payload.toString()) as Record<string, unknown>;

describe('remote configuration', () => {
  it('writes the known bytes of a project without paywalls', () => {
    expect(remoteConfig(partsOf(0))).toBe(emptyRemoteConfig);
    expect(configContainer(emptyRemoteConfig).toString('base64')).toBe(
      'UkMBAAAAAAAouSKTk1q/ylWZVoPb8+x++48VRGAdM2hZAAAAAAAAAHsiZG9tYWluIjoiYXBwIiwibWFuaWZlc3QiOiJ2MS5lbXB0eSIsImFjdGl2ZV90b3BpY3MiOltdLCJwcmVmZXRjaF9ibG9icyI6W10sInRvcGljcyI6e319AAAAAAAAAA==',
    );
  });

  it('names the topics of one paywall', () => {
    const { payload, manifest, prefetchRefs } = remoteConfig(partsOf(1));
    expect(read(payload)).toEqual({
      domain: 'app',
      manifest,
      active_topics: ['sources', 'ui_config', 'workflows'],
      prefetch_blobs: [ref('pw0'), ...Object.values(uiConfig)],
      topics: {
        sources: {
          blob: {
            sources: [
              { url_format: 'https://tenure.example.com/v1/blobs/proj1/{blob_ref}', priority: 0, weight: 1 },
            ],
          },
        },
        ui_config: {
          app: { blob_ref: uiConfig.app, prefetch: true },
          localizations: { blob_ref: uiConfig.localizations, prefetch: true },
          variable_config: { blob_ref: uiConfig.variable_config, prefetch: true },
          custom_variables: { blob_ref: uiConfig.custom_variables, prefetch: true },
        },
        workflows: { wfpw0: { offering_identifier: 'offering_0', blob_ref: ref('pw0'), prefetch: true } },
      },
    });
    expect(prefetchRefs).toHaveLength(5);
  });

  it('derives the manifest from everything else in the payload', () => {
    const { payload, manifest } = remoteConfig(partsOf(1));
    const without = payload.toString().replace(`"manifest":${JSON.stringify(manifest)},`, '');
    const digest = createHash('sha256').update(without).digest().subarray(0, 24);
    expect(manifest).toBe(`v1.${digest.toString('base64url')}`);
    expect(remoteConfig(partsOf(2)).manifest).not.toBe(manifest);
  });

  it('lists twelve paywalls and fetches ten of them in advance', () => {
    const { payload, prefetchRefs } = remoteConfig(partsOf(12));
    const { workflows } = read(payload).topics as { workflows: Record<string, { prefetch: boolean }> };
    expect(Object.values(workflows).filter(({ prefetch }) => prefetch)).toHaveLength(10);
    expect(Object.keys(workflows)).toHaveLength(12);
    expect(prefetchRefs).toEqual([
      ...Array.from({ length: 10 }, (_, index) => ref(`pw${index}`)),
      ...Object.values(uiConfig),
    ]);
    expect(remoteConfig(partsOf(12, false)).prefetchRefs).toEqual(Object.values(uiConfig));
  });

  it('sends the blobs that the SDK lacks, in order, up to 256 KiB', () => {
    const config = remoteConfig(partsOf(3));
    const lengthOf = () => 100 * 1024;
    expect(inlineRefs(config, undefined, lengthOf)).toEqual([ref('pw0'), ref('pw1')]);
    expect(inlineRefs(config, [ref('pw0'), 7, 'x'], lengthOf)).toEqual([ref('pw1'), ref('pw2')]);
    expect(inlineRefs(config, 'no list', () => 1)).toEqual(config.prefetchRefs);
    expect(inlineRefs(config, [], () => undefined)).toEqual([]);
  });

  it('reads at most 200 refs of a request', () => {
    const config = remoteConfig(partsOf(1));
    const many = [...Array.from({ length: 200 }, () => ref('other')), ref('pw0')];
    expect(inlineRefs(config, many, () => 1)).toContain(ref('pw0'));
  });

  it('names a JSON value by its bytes', () => {
    const { ref: name, bytes } = jsonBlob({ a: 1 });
    expect(bytes.toString()).toBe('{"a":1}');
    expect(name).toBe(blobRef(bytes));
  });
});
