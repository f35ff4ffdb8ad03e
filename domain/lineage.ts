/** A movie service and a campaign: the history of a row key is per lineage, so a rehearsal never counts for real. */
export interface Lineage {
  readonly service: { readonly name: string; readonly baseUrl: string };
  readonly campaign: string;
}

/** A lineage as digests and idempotency keys contain it. It never changes: keys in the ledger were made from it. */
export function lineageIdentity({ service, campaign }: Lineage): object {
  return { service: { name: service.name, base_url: service.baseUrl }, campaign };
}
