/**
 * Arithmetic of the nice ticks that recharts works out beside ours, in the place of a library of arbitrary precision (next.config.ts):
 * our grids are our own (components/charts/axis.ts), and no money is drawn, so a double is exact enough.
 */
type Operand = number | Decimal;

class Decimal {
  private readonly value: number;

  constructor(value: number | string | Decimal) {
    this.value = Number(value);
  }
  readonly add = (other: Operand): Decimal => new Decimal(this.value + Number(other));
  readonly sub = (other: Operand): Decimal => new Decimal(this.value - Number(other));
  readonly mul = (other: Operand): Decimal => new Decimal(this.value * Number(other));
  readonly div = (other: Operand): Decimal => new Decimal(this.value / Number(other));
  readonly mod = (other: Operand): Decimal => new Decimal(this.value % Number(other));
  readonly pow = (other: Operand): Decimal => new Decimal(this.value ** Number(other));
  readonly abs = (): Decimal => new Decimal(Math.abs(this.value));
  log(base: number): Decimal {
    return new Decimal(base === 10 ? Math.log10(this.value) : Math.log(this.value) / Math.log(base));
  }
  readonly isint = (): boolean => Number.isInteger(this.value);
  readonly lt = (other: Operand): boolean => this.value < Number(other);
  readonly lte = (other: Operand): boolean => this.value <= Number(other);
  readonly toNumber = (): number => this.value;
  readonly valueOf = (): number => this.value;
}

// As the library that it stands for.
export { Decimal as default };
