export { brokenBound, type BrokenBound } from './document/bounds.js';
export {
  acceptedEncoding,
  type BlobEncoding,
  blobEncodings,
  blobRef,
  type ContainerElement,
  encodedElement,
  isBlobRef,
} from './wire/container.js';
export { PAYWALL_ICONS_PATH, paywallIconNames } from './icons/icons.js';
export {
  type ColorScheme,
  type CustomVariable,
  type PaywallDocument,
  type PaywallFont,
  type PaywallProblem,
  type PaywallSettings,
  type ProblemCode,
} from './model.js';
export { type ProblemContext } from './problems/context.js';
export { problemsOf } from './problems/problems.js';
export {
  configContainer,
  emptyRemoteConfig,
  inlineRefs,
  jsonBlob,
  type PublishedWorkflow,
  type RemoteConfig,
  remoteConfig,
  type RemoteConfigParts,
  type UiConfigItem,
  uiConfigItems,
  type UiConfigRefs,
} from './wire/remote-config.js';
export { colorProblem, paywallDocumentSchema } from './document/schema.js';
export {
  blobRefsIn,
  blobsUrl,
  type DocumentIdentity,
  toOutput,
  toStored,
  withoutNulls,
  withServerAddress,
} from './document/stored-document.js';
export { findTemplate, newDocument } from './templates/new-document.js';
export { type PaywallTemplate, paywallTemplates } from './templates/templates.js';
export { uiConfig, type UiConfig, withEnglish } from './wire/ui-config.js';
export { webDocument, webTag, withWebLocales } from './wire/web-locales.js';
export { workflowOf, type WorkflowNames } from './wire/workflow.js';
