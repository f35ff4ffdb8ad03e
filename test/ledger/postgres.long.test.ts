import { onPostgres } from './on-postgres.js';

onPostgres('postgresLong');
