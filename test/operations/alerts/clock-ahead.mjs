// Preloaded into a server (`node --import`): its clock is a minute ahead, as on a machine without NTP.
const AHEAD_MS = 60_000;
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...values) {
    super(...(values.length === 0 ? [RealDate.now() + AHEAD_MS] : values));
  }

  static now() {
    return RealDate.now() + AHEAD_MS;
  }
};
