export const text = {
  title: 'Set-up',
  skip: 'Skip for now',
  dismiss: 'Dismiss the checklist',
  showAgain: 'Show the checklist',
  dismissed: 'The checklist is dismissed.',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  done: 'Done',
  notDone: 'To do',
  open: (step: string) => `Show “${step}”`,
  close: (step: string) => `Hide “${step}”`,
  needsApp: 'Comes after your app.',

  app: {
    title: 'Your app',
    about: 'An app connects one store. Its public key goes into the app that you ship.',
    choose: 'App',
    summary: (name: string, store: string) => (name === store ? name : `${name}, ${store}`),
    openApp: 'Open the app',
    tryTitle: 'Try it with the Test Store',
    tryAbout: 'No store account needed. Test purchases renew, expire and can be refunded.',
    try: 'Try it with the Test Store',
    storeTitle: 'Connect a store',
    storeAbout: 'App Store, Google Play, Amazon, Paddle or Stripe, with their credentials.',
    store: 'Connect a store',
    newName: 'Test Store',
  },

  catalog: {
    title: 'What you sell',
    about: 'Products unlock entitlements, and an offering says which ones your app shows.',
    sampleAbout:
      'The sample catalog has what an app needs for a first purchase. What exists is left as it is.',
    make: 'Make a sample catalog',
    again: 'Retry',
    making: (label: string) => `Making ${label}`,
    made: 'The sample catalog is ready.',
    own: 'Make your own',
    summary: (products: number, entitlements: number) =>
      `${products === 1 ? '1 product' : `${products} products`}, ${entitlements === 1 ? '1 entitlement' : `${entitlements} entitlements`}`,
    entitlement: (key: string) => `Entitlement ${key}`,
    product: (id: string, price: string, period: string) => `Product ${id}, ${price} ${period}`,
    monthly: 'a month',
    yearly: 'a year',
    unlock: (key: string) => `Both products unlock ${key}`,
    offering: (key: string) => `Offering ${key}`,
    package: (name: string) => `Package ${name}`,
    fill: (product: string, name: string) => `${product} in package ${name}`,
    stepDone: 'exists',
    stepFailed: 'failed',
    stepWaiting: 'not made yet',
    stepRunning: 'being made',
  },

  sdk: {
    title: 'Connect your SDK',
    about: 'Keep the purchase SDK that your app ships with. Give it this address and the public key.',
    summary: (version: string) => `SDK ${version} called`,
    buyTitle: 'Or buy from here',
    buyAbout: (product: string, user: string) =>
      `Makes a test purchase of ${product} for the customer ${user}, without an app.`,
    buyNone: 'Make a product first.',
    buyNotTest: 'Test purchases take a Test Store app.',
    buy: 'Buy a test subscription',
    bought: 'Bought.',
    product: 'Product',
    command: 'Or post a receipt from a terminal, as an SDK does',
    commandLabel: 'Command that posts a receipt',
  },

  waiting: {
    title: 'Waiting for your first purchase',
    titleDone: 'First purchase',
    none: 'No call yet',
    noneAbout: 'This page looks every few seconds.',
    called: 'called',
    sdk: (version: string, platform: string | null) =>
      platform === null ? `SDK ${version}` : `SDK ${version} on ${platform}`,
    calledAbout: 'The SDK reaches this server. Buy something in the app.',
    received: 'First purchase received',
    latest: 'Purchases arrive. The latest',
    by: 'by',
    announced: (product: string, user: string) => `First purchase received: ${product} by ${user}`,
    help: 'Nothing arrives?',
    customer: 'See the customer',
    next: 'Next',
  },

  causes: {
    title: 'Usual causes',
    ok: 'Looks right',
    look: 'Look here',
    address: 'The device reaches this address',
    addressLocal: (address: string) =>
      `${address} means the device itself. On a phone, use this computer's address in your network; the Android emulator calls it http://10.0.2.2.`,
    addressHttp: (address: string) =>
      `${address} is not encrypted. iOS and Android refuse such addresses until the app allows them.`,
    addressOk: (address: string) =>
      `Open ${address}/healthz in the device's browser: it should say that it is up.`,
    key: 'The key is whole',
    keyAbout: (key: string) => `The app must configure exactly ${key}.`,
    products: 'Product ids are the same everywhere',
    productsNone: 'There is no product yet. The SDK offers nothing to buy.',
    productsAbout: (ids: string) => `This app knows ${ids}. The store must use the same ids.`,
    clock: 'The clock is right',
    clockOff: (by: string) =>
      `The clock of this computer and the server's differ by ${by}. Set the wrong one.`,
    clockOk: "This computer and the server agree. Check the device's clock, too.",
  },

  next: {
    title: 'What comes next',
    webhook: 'Send events to your backend',
    webhookAbout: 'A webhook for each purchase, renewal and refund.',
    invite: 'Invite a colleague',
    inviteAbout: 'Developers, support and finance see what their role allows.',
    store: 'Connect a store',
    storeAbout: 'Real purchases take the credentials of a store.',
  },

  health: {
    title: 'Set-up health',
    about: 'What stores, webhooks and SDKs report.',
    fine: 'No problems found.',
  },
};

/** Common names of stores. */
export const storeNames: Record<string, string> = {
  app_store: 'App Store',
  mac_app_store: 'Mac App Store',
  play_store: 'Google Play',
  amazon: 'Amazon Appstore',
  stripe: 'Stripe',
  rc_billing: 'Web Billing',
  roku: 'Roku',
  paddle: 'Paddle',
  test_store: 'Test Store',
};
