export default async function globalTeardown() {
  await globalThis.tenureCitus?.stop();
}
