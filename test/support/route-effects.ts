import { type OauthScope, oauthScopes, scopeOf } from '../../src/platform/principal/oauth-scopes.js';
import type { Permission } from '../../src/platform/principal/permissions.js';

/**
 * `access`: grants access to a customer or a person, or ends a customer's. `money`: charges, refunds, cancels, or changes
 * balances. `owner`: decides which customer has a purchase, or erases the customer. `secret`: answers with a credential.
 */
export const effectNames = ['access', 'money', 'owner', 'secret'] as const;
export type Effect = (typeof effectNames)[number];

export interface RouteEffects {
  effects: Effect[];
  /** Permissions without which no secret key and no person may call the route. */
  needs?: Permission[];
  /** The scope that OAuth clients need, if the permissions alone would ask for a smaller one. */
  scope?: OauthScope;
  /** Proof that a route without a permission asks its callers for. */
  proof?: string;
}

/** Access rule of a route, as the OpenAPI document describes it. */
export interface DeclaredAccess {
  security: string[];
  permissions: string[];
  scope?: string;
}

const customers = 'customer_information:customers:read_write';
const subscriptions = 'customer_information:subscriptions:read_write';
const purchases = 'customer_information:purchases:read_write';
const entitlements = 'project_configuration:entitlements:read_write';
const apps = 'project_configuration:apps:read_write';
const projects = 'project_configuration:projects:read_write';
const collaborators = 'project_configuration:collaborators:read_write';
const integrations = 'project_configuration:integrations:read_write';

const organizationRole = 'a role in the organization, which its own guard checks';
const ownSession = 'the session of the person concerned';
const mailedToken = 'a token that was sent to the email address';

/** Routes with an effect, by operation id. */
export const routesWithEffects: Record<string, RouteEffects> = {
  // A customer's purchases, by permission.
  importCustomers: { effects: ['access', 'money', 'owner'], needs: [customers, subscriptions, purchases] },
  transferCustomer: { effects: ['access', 'owner'], needs: [customers, subscriptions, purchases] },
  restorePurchaseByOrderId: { effects: ['access', 'owner'], needs: [customers], scope: 'project:money' },
  deleteCustomer: { effects: ['access', 'owner'], needs: [customers], scope: 'project:money' },
  deleteSubscriber: { effects: ['access', 'owner'], needs: [customers] },
  grantEntitlement: { effects: ['access'], needs: [customers] },
  revokeGrantedEntitlement: { effects: ['access'], needs: [customers] },
  grantPromotional: { effects: ['access'], needs: [customers] },
  revokePromotionals: { effects: ['access'], needs: [customers] },
  blockCustomer: { effects: ['access'], needs: [customers] },
  unblockCustomer: { effects: ['access'], needs: [customers] },
  blockCustomerById: { effects: ['access'], needs: [customers] },
  unblockCustomerById: { effects: ['access'], needs: [customers] },
  deleteAuthIdentity: { effects: ['access'], needs: [customers] },
  createTestPurchase: { effects: ['access'], needs: [purchases], scope: 'project:write' },
  createTestClock: { effects: ['access'], needs: [customers] },
  updateTestClock: { effects: ['access'], needs: [customers] },
  deleteTestClock: { effects: ['access'], needs: [customers] },
  advanceTestClock: { effects: ['access'], needs: [customers] },
  attachCustomerToTestClock: { effects: ['access'], needs: [customers] },
  cancelSubscription: { effects: ['access', 'money'], needs: [subscriptions] },
  cancelStoreSubscription: { effects: ['access', 'money'], needs: [subscriptions] },
  extendSubscription: { effects: ['access', 'money'], needs: [subscriptions] },
  extendStoreSubscription: { effects: ['access', 'money'], needs: [subscriptions] },
  deferSubscription: { effects: ['access', 'money'], needs: [subscriptions] },
  massExtendSubscriptions: { effects: ['access', 'money'], needs: [subscriptions] },
  revokeSubscription: { effects: ['access', 'money'], needs: [subscriptions] },
  refundSubscription: { effects: ['access', 'money'], needs: [subscriptions] },
  refundSubscriptionTransaction: { effects: ['access', 'money'], needs: [subscriptions] },
  refundPurchase: { effects: ['access', 'money'], needs: [purchases] },
  refundTransaction: { effects: ['access', 'money'], needs: [purchases] },
  answerRefundRequest: { effects: ['money'], needs: [purchases] },
  leaveRefundRequest: { effects: ['money'], needs: [purchases] },
  createVirtualCurrencyTransaction: { effects: ['money'], needs: [purchases] },
  updateVirtualCurrencyBalance: { effects: ['money'], needs: [purchases] },
  deleteVirtualCurrency: {
    effects: ['money'],
    needs: ['project_configuration:virtual_currencies:read_write'],
    scope: 'project:money',
  },
  createRedemptionLink: { effects: ['owner', 'secret'], needs: [purchases] },
  resendRedemptionLink: { effects: ['owner'], needs: [purchases] },
  revokeRedemptionLink: { effects: ['owner'], needs: [purchases] },
  getSubscriptionManagementUrl: {
    effects: ['money', 'secret'],
    needs: ['customer_information:subscriptions:read'],
    scope: 'project:money',
  },

  // Settings that decide about access.
  attachEntitlementProducts: { effects: ['access'], needs: [entitlements] },
  detachEntitlementProducts: { effects: ['access'], needs: [entitlements] },
  deleteEntitlement: { effects: ['access'], needs: [entitlements] },
  deleteProduct: { effects: ['access'], needs: ['project_configuration:products:read_write'] },
  importPublicApiKey: { effects: ['access'], needs: [apps] },
  deleteApp: { effects: ['access'], needs: [apps] },
  deleteProject: { effects: ['access', 'money', 'owner'], needs: [projects] },
  createAuthProvider: { effects: ['access'], needs: [projects] },
  updateAuthProvider: { effects: ['access'], needs: [projects] },
  deleteAuthProvider: { effects: ['access'], needs: [projects] },
  updateAuthSettings: { effects: ['access'], needs: [projects] },
  createInvite: { effects: ['access'], needs: [collaborators] },
  resendInvite: { effects: ['access'], needs: [collaborators] },
  updateCollaborator: { effects: ['access'], needs: [collaborators] },
  createApiKey: { effects: ['secret'], needs: ['project_configuration:api_keys:read_write'] },
  createSqlUser: { effects: ['secret'], needs: ['project_configuration:api_keys:read_write'] },
  rotateSqlUser: { effects: ['secret'], needs: ['project_configuration:api_keys:read_write'] },
  createWebhookIntegration: { effects: ['secret'], needs: [integrations] },
  rotateWebhookSecret: { effects: ['secret'], needs: [integrations] },

  // A customer's purchases, by proof; a secret key needs the permission besides.
  postReceipt: {
    effects: ['access', 'money', 'owner'],
    needs: [purchases],
    proof: 'a purchase at the store',
  },
  redeemWebPurchase: { effects: ['access', 'owner'], needs: [purchases], proof: 'the token of a link' },
  identify: { effects: ['owner'], needs: [customers], proof: 'the anonymous id of the device' },
  createAlias: { effects: ['owner'], needs: [customers], proof: 'the anonymous id of the device' },
  spendVirtualCurrencies: { effects: ['money'], proof: 'an access token of the customer' },
  receiveStoreNotification: { effects: ['access', 'money'], proof: 'the signature or answer of the store' },
  signInCustomer: { effects: ['owner', 'secret'], proof: 'an ID token of a provider, or an anonymous id' },
  refreshCustomerTokens: { effects: ['secret'], proof: 'a refresh token' },
  refreshSdkTokens: { effects: ['secret'], proof: 'a refresh token' },

  // Accounts of people.
  acceptInvite: { effects: ['access'], proof: mailedToken },
  login: { effects: ['access', 'secret'], proof: 'a password' },
  completeLogin: { effects: ['access', 'secret'], proof: 'a second factor' },
  signUp: { effects: ['access', 'secret'], proof: 'nothing: the account is new' },
  resetPassword: { effects: ['access', 'secret'], proof: mailedToken },
  confirmEmailChange: { effects: ['access'], proof: mailedToken },
  setUpTwoFactor: { effects: ['secret'], proof: ownSession },
  enableTwoFactor: { effects: ['secret'], proof: ownSession },
  renewRecoveryCodes: { effects: ['secret'], proof: ownSession },
  decideConsent: { effects: ['access', 'secret'], proof: `${ownSession}, and its consent page` },
  exchangeOauthToken: {
    effects: ['access', 'secret'],
    proof: 'a code with its verifier, or a refresh token',
  },
  finishOidcSignIn: { effects: ['access', 'secret'], proof: 'a code of the identity provider' },
  finishSamlSignIn: { effects: ['access', 'secret'], proof: 'a signed assertion' },

  // Organizations.
  addOrganizationMember: { effects: ['access'], proof: organizationRole },
  updateOrganizationMember: { effects: ['access'], proof: organizationRole },
  addOrganizationProject: { effects: ['access'], proof: organizationRole },
  assignProjectRole: { effects: ['access'], proof: organizationRole },
  saveRoleMapping: { effects: ['access'], proof: organizationRole },
  createCustomRole: { effects: ['access'], proof: organizationRole },
  updateCustomRole: { effects: ['access'], proof: organizationRole },
  createSsoConnection: { effects: ['access'], proof: organizationRole },
  updateSsoConnection: { effects: ['access'], proof: organizationRole },
  verifySsoDomain: { effects: ['access'], proof: organizationRole },
  createScimToken: { effects: ['secret'], proof: organizationRole },
};

/** All other routes. They have none of the effects. */
export const routesWithoutEffects = `
  createMediaAsset deleteMediaAsset getMediaAsset getPaywallSettings listMediaAssets updatePaywallSettings
  createPaywall deletePaywall getBlob getPaywall getPaywallSchema listPaywallIcons listPaywallTemplates listPaywallVersions listPaywalls
  publishPaywall unpublishPaywall updatePaywall
  createChartNote deleteChartNote getChartNote listChartNotes listCharts updateChartNote
  deleteSqlUser getSqlUser listSqlUsers
  cancelExportRun createExport createExportDestination deleteExport deleteExportDestination getExport getExportDestination
  downloadExportDataset getExportRun listExportDatasets listExportDestinations listExportRuns listExports resetExport runExport testExportDestination
  testExportDestinationSettings updateExport updateExportDestination
  createDigest deleteDigest getDigest listDigests previewDigest sendDigestNow updateDigest
  createSavedChart deleteSavedChart getChartBoard getSavedChart listSavedCharts reorderChartBoard updateSavedChart
  createCustomerNote deleteCustomerNote getCustomerNote listCustomerNotes updateCustomerNote
  listExternalPurchaseMonths
  bindExternalPurchaseToken createExternalPurchaseToken getExternalPurchaseToken listExternalPurchaseTokens
  downloadExternalPurchaseReports getExternalPurchaseReport listExternalPurchaseReports
  restateExternalPurchaseReport sendExternalPurchaseReportAgain
  addSsoDomain answerRetentionRequest archiveEntitlement archiveOffering archiveProduct archiveVirtualCurrency
  askForConsent assignOffering attachPackageProducts cancelEmailChange changeEmail changePassword
  checkResetLink compareStoreProducts completeCheckout configureRetentionUrl createApp createCustomer createEntitlement createExperiment
  createOffering createOrganization createOwnSupportTicket createPackage createProduct
  createProductInStore createProject createRefundPolicy
  createRetentionMessage createRetentionRule createSupportTicket createTargetingRule createVirtualCurrency
  deleteAccount deleteApiKey deleteCollaborator deleteCustomRole deleteExperiment
  deleteInvite deleteOffering deleteOrganization deleteOrganizationMember deleteOrganizationProject
  deletePackage deleteRefundPolicy deleteRetentionMessage deleteRetentionRule
  deleteRoleMapping deleteSsoConnection deleteSsoDomain deleteTargetingRule
  createDestination deleteDestination getDestination listDestinationDeliveries listDestinationStates
  listDestinationTypes listDestinations updateDestination
  getDestinationDelivery getDestinationReplay listDestinationReplays previewDestination replayDestinationEvents
  retryDestinationDelivery testDestination
  deleteWebhookIntegration detachPackageProducts disableTwoFactor downloadExport endOauthGrant
  endOtherSessions endSession evaluateTargeting explainCustomerAccess exportCustomer forgotPassword
  getAccount getAmazonReceipt getApp getAttributes getAuditLog getAuthConfig getAuthIdentity getAuthProvider
  getAuthSettings getAuthorizationServer getBlockedCustomer getBranding getChart getChartOptions getCheckout
  getConnectivity getCustomRole getCustomer getCustomerCenter getCustomerInfo
  getEnterpriseStatus getEntitlement getEvent getExperiment getExperimentResults getExportPublicKey
  getHealth getHealthReport getHealthReportAvailability getHostedCheckout getHostedCheckoutStatus
  getImportStatus getIntroEligibility getInvite getInvoiceFile getKeySet getLiveness getMassExtension
  getMcpResource getMetricHistory getOffering getOfferingProducts getOfferings getOrganization
  getOrganizationOverview getOverviewMetrics getOwnAttributes getOwnCustomerCenter getOwnCustomerInfo
  getOwnHealthReport getOwnIntroEligibility getOwnOfferingProducts getOwnOfferings getOwnRestoreEligibility
  getOwnRewardVerification getOwnVirtualCurrencies getOwnWebProducts getPackage getProduct
  getProductEntitlementMapping getProject getProtectedResource getPurchase getReadiness getRedemptionLink
  getRedemptionSettings getRefundPolicy getRefundRequest getRefundStatistics getRemoteConfig
  getRestoreEligibility getRetentionRule getRetentionStatistics getRetentionTest getRevenueMetric
  getRewardVerification
  getSamlMetadata getSdkWorkflow getServerInfo getSetupHealth getSigningKey getSsoConnection
  getStoreKitConfig getStoreSettings getSubscription getTargetingRule getTestClock getVirtualCurrencies
  getVirtualCurrency getWebProducts getWebhookDelivery getWebhookIntegration getWebhookReplay
  listActiveEntitlements listApiKeys listApps listAuditLogs listAuthIdentities listAuthProviders
  listBlockedCustomers listCollaborators listCustomersBlocked listCustomRoles listCustomerAliases listCustomerAttributes
  listCustomerBalances listCustomerEvents listCustomerInvoices listCustomerPurchases
  listCustomerRedemptionLinks listCustomerSubscriptions listCustomerSummaries listCustomers listFilteredCustomers
  countFilteredCustomers downloadFilteredCustomers createCustomerListExport deleteCustomerListExport
  downloadCustomerListExport getCustomerListExport listCustomerListExports createCustomerList deleteCustomerList getCustomerList listCustomerLists updateCustomerList
  listEntitlementProducts listEntitlements listEvents listExperiments listInvites listOauthGrants
  listOfferings listOrganizationAuditLogs listOrganizationMembers listOrganizationProjectMembers
  listOrganizationProjects listOrganizations listPackageProducts listPackages listPlacements
  createProductPrices listPrices listProductPrices updateProductPrice
  listProducts listStoreProducts importStoreProducts listProjects listPublicApiKeys listPurchaseEntitlements listPurchaseOwnershipHistory
  listRefundPolicies listRefundRequests listRetentionMessages listRetentionRules listRoleMappings
  listScimGroups
  listScimTokens listScopes listSdkWorkflows listSessions listSsoConnections
  listSsoDomains listSubscriptionEntitlements listSubscriptionOwnershipHistory listSubscriptionTransactions
  listTargetingRules listTestClocks listTransactions listVirtualCurrencies listEventDeliveries listWebhookDeliveries
  listWebhookEvents listWebhookIntegrations listWebhookReplays listWebhookStates logout lookUpSso
  markExperimentWinner overrideOffering pauseExperiment postAdServicesToken postAttributes postAttribution
  postExternalPurchaseToken postOwnAdServicesToken postOwnAttributes postOwnAttribution postRemoteConfig
  postSdkDiagnostics postSdkEvents prepareCheckout previewRefundPolicies registerOauthClient removeOfferingOverride
  renameEntitlement reorderExperiments reorderRefundPolicies
  reorderRetentionRules reorderTargetingRules replayWebhookEvents resendEmailVerification
  resumeExperiment retryWebhookDelivery revokeOauthToken revokeScimToken searchPurchases searchSubscriptions
  sendWebhookTest setCustomerAttributes setDefaultRetentionMessage setRefundRequestEvidence
  setOrganizationProjectRegion signOutCustomer signOutOfSdk
  signPromotionalOffers startCheckout startExperiment
  startHostedCheckout startRetentionTest startSso startSsoConnection
  startWebPurchase stopExperiment testAuthProvider testWebhookIntegration
  unarchiveEntitlement unarchiveOffering unarchiveProduct unarchiveVirtualCurrency
  unsubscribeFromAlerts unsubscribeFromDigest
  updateAccount updateApp updateCheckout updateExperiment updateOffering updateOrganization
  updatePackage updateProduct updateProject
  updateRedemptionSettings updateRefundPolicy updateRetentionRule updateTargetingRule
  updateVirtualCurrency updateWebhookIntegration verifyEmail verifyStoreCredentials
`
  .trim()
  .split(/\s+/);

const rank = (scope: OauthScope): number => oauthScopes.indexOf(scope);

/** The largest scope that an OAuth client needs; null if no client is let in. */
function scopeNeeded({ security, permissions, scope }: DeclaredAccess): OauthScope | null {
  if (!security.includes('oauth_token')) return null;
  if (scope !== undefined) return scope as OauthScope;
  const scopes = permissions.map((name) => scopeOf(name as Permission));
  if (scopes.includes(null)) return null;
  return (scopes as OauthScope[]).toSorted((a, b) => rank(b) - rank(a))[0] ?? 'project:read';
}

const smallestScope: Record<Effect, OauthScope> = {
  access: 'project:write',
  money: 'project:money',
  owner: 'project:money',
  secret: 'project:write',
};

/** Why a route lets too many in for what it does; empty if it does not. */
export function accessProblems(
  { effects, needs = [], scope, proof }: RouteEffects,
  declared: DeclaredAccess,
): string[] {
  const problems = needs
    .filter((name) => !declared.permissions.includes(name))
    .map((name) => `lacks the permission ${name}`);
  const isOpen = declared.security.length === 0 || /public_key|customer_token/.test(declared.security.join());
  if ((isOpen || needs.length === 0) && proof === undefined) problems.push('asks for no permission or proof');
  const held = scopeNeeded(declared);
  if (held === null) return problems;
  if (scope !== undefined && held !== scope) problems.push(`needs the scope ${scope}, asks for ${held}`);
  const tooSmall = effects.filter((effect) => rank(held) < rank(smallestScope[effect]));
  return [...problems, ...tooSmall.map((effect) => `lets clients with ${held} cause the effect ${effect}`)];
}
