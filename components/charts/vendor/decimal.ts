/**
 * Arithmetic of the nice ticks that recharts works out beside ours, in the place of a library of arbitrary precision (next.config.ts):
 * our grids are our own (components/charts/axis.ts), and no money is drawn, so a double is exact enough.
 */
class Decimal {
  private readonly value: number;

  constructor(value: number | string | Decimal) {
    this.value = Number(value);
  }
  add(other: number | Decimal): Decimal {
    return new Decimal(this.value + Number(other));
  }
  sub(other: number | Decimal): Decimal {
    return new Decimal(this.value - Number(other));
  }
  mul(other: number | Decimal): Decimal {
    return new Decimal(this.value * Number(other));
  }
  div(other: number | Decimal): Decimal {
    return new Decimal(this.value / Number(other));
  }
  mod(other: number | Decimal): Decimal {
    return new Decimal(this.value % Number(other));
  }
  pow(other: number | Decimal): Decimal {
    return new Decimal(this.value ** Number(other));
  }
  abs(): Decimal {
    return new Decimal(Math.abs(this.value));
  }
  log(base: number): Decimal {
    return new Decimal(base === 10 ? Math.log10(this.value) : Math.log(this.value) / Math.log(base));
  }
  isint(): boolean {
    return Number.isInteger(this.value);
  }
  lt(other: number | Decimal): boolean {
    return this.value < Number(other);
  }
  lte(other: number | Decimal): boolean {
    return this.value <= Number(other);
  }
  toNumber(): number {
    return this.value;
  }
  valueOf(): number {
    return this.value;
  }
}

// As the library that it stands for.
export { Decimal as default };
