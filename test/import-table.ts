/** What each folder may import at run time, itself apart. Types may come from anywhere in `typesFrom` too. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  processes: [],
  domain: [],
  api: ['domain'],
  pricing: ['api', 'domain'],
  conformance: ['api', 'domain'],
  sheets: [],
  manifests: ['api', 'domain', 'sheets'],
  invoices: ['domain', 'ledger', 'sheets'],
  ledger: ['domain'],
  archive: ['api/proxies', 'api/routes', 'domain', 'processes'],
  reports: ['domain', 'ledger', 'processes'],
  telemetry: ['domain', 'ledger'],
  activities: ['api', 'archive', 'domain', 'ledger', 'pricing', 'reports'],
  workflows: ['domain'],
  operations: ['api', 'domain', 'invoices', 'ledger', 'manifests', 'pricing', 'reports', 'sheets', 'workflows/names'],
  studio: ['api', 'domain', 'processes'],
  web: ['operations', 'reports', 'domain'],
  home: [
    'api',
    'archive',
    'domain',
    'ledger',
    'pricing/remote-files',
    'processes',
    'reports',
    'telemetry',
    'web',
    'workflows/names',
  ],
  worker: [
    ...['activities', 'archive', 'domain', 'home', 'ledger', 'pricing', 'processes', 'reports', 'telemetry'],
    'workflows/names',
  ],
  // What the books know is read and changed for people through `operations`, which asks who they are.
  cli: [
    ...['api', 'archive', 'conformance', 'domain', 'home', 'invoices', 'manifests', 'operations', 'pricing', 'reports'],
    ...['sheets', 'studio', 'telemetry', 'worker', 'package.json'],
  ],
};

/** Beside these, as types only. */
export const typesFrom: Readonly<Record<string, readonly string[]>> = {
  workflows: ['activities'],
  home: ['operations'],
  worker: ['operations', 'api'],
  cli: ['ledger'],
};
