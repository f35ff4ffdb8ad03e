import { sql } from 'kysely';
import type { Service } from '../../domain/service.js';

/** That the `services` of a query is this one: services are told apart by name and address. */
export function ofService({ name, baseUrl }: Pick<Service, 'name' | 'baseUrl'>) {
  return sql<boolean>`services.name = ${name} and services.base_url = ${baseUrl}`;
}
