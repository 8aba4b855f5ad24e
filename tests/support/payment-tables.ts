/** The tables of the example business, for test databases. */
export { PAYMENTS_TABLES } from "@/payments/tables";
