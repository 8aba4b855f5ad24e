/**
 * The badge beside the tenant.
 * @param provider of this deployment
 */
export function environmentName({ movesRealMoney }: { readonly movesRealMoney: boolean }): "Production" | "Sandbox" {
  return movesRealMoney ? "Production" : "Sandbox";
}
