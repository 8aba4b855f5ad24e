/** Loaded by `--import` before a process of the soak: its clock is off by SOAK_CLOCK_MS. */
const shift = Number(process.env.SOAK_CLOCK_MS ?? "0");
const Real = Date;

globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + shift);
    else super(...given);
  }

  static now() {
    return Real.now() + shift;
  }
};
